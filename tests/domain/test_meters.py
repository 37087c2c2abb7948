import pytest

from bridge.domain.meters import NOTHING_IN_POOLS, Pool, Pools
from bridge.domain.money import MeterAmount


@pytest.mark.parametrize(("pool", "units"), [(Pool.DISPLAY, 3), (Pool.OVERFLOW, 2), (Pool.RESERVE, 1)])
def test_a_pool_is_found_by_its_name(pool: Pool, units: int) -> None:
    pools = Pools(display=MeterAmount(3), overflow=MeterAmount(2), reserve=MeterAmount(1))
    assert pools[pool] == MeterAmount(units)
    assert NOTHING_IN_POOLS[pool] == MeterAmount(0)
