import environments as _environments
