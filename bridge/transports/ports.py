"""The ports of one process: those that are recorded, and captures, which go on where they were left."""

import asyncio
from collections.abc import Mapping

from bridge.transports.addresses import ReplayFile, parse_url
from bridge.transports.capture import CapturedTransport, Recording
from bridge.transports.playback import Playback
from bridge.transports.replay import ReplayTransport, load_playback
from bridge.transports.transport import Transport, open_transport
from bridge.wire.spec import SerialSettings


class Ports:
    """Opens ports as ``open_transport`` does. A line that loses its port and opens it again is recorded on."""

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        """Take the recordings, by the URL of the port."""
        self._recordings = dict(recordings)
        self._playbacks: dict[str, Playback] = {}
        self._loading = asyncio.Lock()

    async def open(self, url: str, settings: SerialSettings) -> Transport:
        """Open a port; raises what ``open_transport`` does."""
        address = parse_url(url)
        if isinstance(address, ReplayFile):
            transport: Transport = ReplayTransport(await self._playback(url, address))
        else:
            transport = await open_transport(url, settings)
        recording = self._recordings.get(url)
        return transport if recording is None else CapturedTransport(transport, recording)

    async def _playback(self, url: str, address: ReplayFile) -> Playback:
        async with self._loading:
            if url not in self._playbacks:
                self._playbacks[url] = await load_playback(address.path, address.speed)
            return self._playbacks[url]
