from tests.reports.fixtures import baccarat, blackjack

__all__ = ["baccarat", "blackjack"]
