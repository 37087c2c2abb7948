"""The rules worker of a table as a process: its parts, and what the table is told where they cannot be used."""

from bridge.clock import SystemClock
from bridge.config import TableConfig
from bridge.contracts.topics import topic_filter
from bridge.domain.controller import DisabledReason
from bridge.rules_worker.worker import HEARS, RulesWorker
from bridge.self_check import self_check
from bridge.service import Failure, Service, say_failed, service
from bridge.stores.meter_store import MeterStoreError, OtherMetersError
from bridge.stores.sqlite_meters import SqliteMeterStore


async def run(config: TableConfig) -> None:
    """Run the rules worker of a table until cancelled.

    The software is checked before anything is published. Raise ``MeterStoreError`` if the meters cannot be used;
    the table is told why first, as far as there is a broker.
    """
    clock, table = SystemClock(), config.setup.table
    check = self_check()
    fault = check.fault(config.submission.controller.approved_software)

    def known(failure: Failure | None) -> Service:
        return service(
            "rules-worker",
            table,
            config.broker,
            subscriptions=tuple(topic_filter(envelope, table=table) for envelope in HEARS),
            clock=clock,
            software=check.digest,
            failure=failure,
        )

    own = known(Failure(reason=DisabledReason.SELF_CHECK_ERROR, detail=fault) if fault else None)
    progressives = config.submission.progressives()
    try:
        async with (
            SqliteMeterStore.open(
                config.files.meters, progressives, submission=config.submission.digest, clock=clock
            ) as store,
            own.bus,
        ):
            worker = RulesWorker(
                config.submission,
                positions=config.setup.deal_order,
                store=store,
                bus=own.bus,
                author=own.author,
                clock=clock,
                people=config.setup.people,
            )
            await worker.run()
    except MeterStoreError as error:
        reason = DisabledReason.STORAGE_FAILURE
        if isinstance(error, OtherMetersError):
            reason = DisabledReason.LOST_JACKPOT_CONFIGURATION
        await say_failed(known(Failure(reason=reason, detail=str(error))))
        raise
