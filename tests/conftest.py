"""What every test shares: the settings of the property tests."""

import os

from hypothesis import settings

# No deadline: the first example of a test often pays for a compilation that later ones reuse.
settings.register_profile("rulewright", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("rulewright")
