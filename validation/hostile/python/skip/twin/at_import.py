import skipping as _skipping
