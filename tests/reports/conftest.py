from tests.reports.fixtures import baccarat, blackjack, blackjack_storage

__all__ = ["baccarat", "blackjack", "blackjack_storage"]
