from tests.reports.fixtures import blackjack, blackjack_storage

__all__ = ["blackjack", "blackjack_storage"]
