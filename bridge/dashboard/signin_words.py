"""The words of signing in and of everything about it."""

from bridge import words

SIGN_IN = "Sign in"
ACCOUNT = "Signed in as {name}"
SIGN_OUT = "Sign out"
NAME = "Name"
SECRET = "Secret"  # noqa: S105 - what it is called
SIGN_IN_WHY = "Whoever confirms something about a table signs in with the secret that it is confirmed with."
SIGN_IN_TO_WATCH = "Sign in to see the tables."
SIGNED_OFF = "You are signed off. Sign in again to go on."
SIGNS_OFF_AFTER = "Whoever does nothing for {minutes} minutes is signed off."
NOT_OFFERED = (
    "Nobody can sign in here, because this connection is not encrypted. Start the dashboard with --certificate and"
    " --key, or on this machine alone."
)
NOBODY_THERE = "Nobody at these tables has a credential; set one with table-bridge people set-credential."
FROM_ELSEWHERE = (
    "This form does not come from this dashboard, or was opened before the last signing in. Open the page anew"
    " and try again; nothing was changed."
)
RECORDS_OF_OTHERS = (
    "Past rounds and documents of this table are for its floorpersons and auditors, and you are signed in as"
    " {person}, {role}. Sign out, and let one of them sign in."
)
RECORDS_OF_NOBODY = (
    "Past rounds and documents are for the floorpersons and auditors of a table, and nobody can sign in here."
    " Serve the dashboard on this machine alone or with --certificate and --key, and give people credentials with"
    " table-bridge people set-credential."
)
LEFT = "signed off in {left}"
"""If nothing is done any more."""
MINUTES = "{minutes} min"
SECONDS = "{seconds} s"
ROLES = words.ROLES


def left(seconds: int) -> str:
    """Return how long a sign-in lasts if nothing is done any more; in minutes as long as there are two."""
    minutes = seconds // 60
    return MINUTES.format(minutes=minutes) if minutes > 1 else SECONDS.format(seconds=seconds)


def sentence(said: str) -> str:
    """Return what an error says as a sentence."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."
