"""The error types of the product."""


class BrokenData(Exception):
    """Data could not be accepted; the base of all errors of this package."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message

    def __str__(self):
        return str(self.message)


class BrokenSeal(BrokenData):
    """A sealed value was refused.

    ``payload`` holds the bytes before the last separator, which have *not*
    been found right, or ``None`` when there was no separator.
    """

    def __init__(self, message, payload=None):
        super().__init__(message)
        self.payload = payload
