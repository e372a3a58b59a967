"""Packing of objects into sealed text or bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from .encoding import as_bytes
from .errors import BrokenPayload, BrokenSeal
from .sealer import Sealer, key_list


def _writes_text(serializer: Any) -> bool:
    return isinstance(serializer.dumps({}), str)


class Packer:
    """Serializes objects and seals what comes of it."""

    default_serializer: Any = json
    default_sealer: type[Sealer] = Sealer
    default_fallback_sealers: list[Any] = []

    def __init__(
        self,
        secret_key: str | bytes | Iterable[str] | Iterable[bytes],
        salt: str | bytes | None = b"brinseal",
        serializer: Any = None,
        serializer_kwargs: dict[str, Any] | None = None,
        sealer: type[Sealer] | None = None,
        sealer_options: dict[str, Any] | None = None,
        fallback_sealers: list[Any] | None = None,
    ) -> None:
        # Defaults are read from the class, so that a function set there as a
        # factory of sealers does not get bound to the packer.
        defaults = type(self)
        self.secret_keys: list[bytes] = key_list(secret_key)
        self.salt: bytes | None = None if salt is None else as_bytes(salt)
        self.serializer: Any = defaults.default_serializer if serializer is None else serializer
        self.is_text_serializer: bool = _writes_text(self.serializer)
        self.serializer_kwargs: dict[str, Any] = serializer_kwargs or {}
        self.sealer: Any = defaults.default_sealer if sealer is None else sealer
        self.sealer_options: dict[str, Any] = sealer_options or {}
        if fallback_sealers is None:
            fallback_sealers = list(defaults.default_fallback_sealers)
        self.fallback_sealers: list[Any] = fallback_sealers

    @property
    def secret_key(self) -> bytes:
        """The newest secret key."""
        return self.secret_keys[-1]

    # Objects and payloads

    def dump_payload(self, obj: Any) -> bytes:
        """The bytes of an object, without a seal."""
        return as_bytes(self.serializer.dumps(obj, **self.serializer_kwargs))

    def load_payload(self, payload: bytes, serializer: Any = None) -> Any:
        """The object of a payload that carries no seal."""
        if serializer is None:
            serializer, textual = self.serializer, self.is_text_serializer
        else:
            textual = _writes_text(serializer)
        try:
            return serializer.loads(str(payload, "utf-8") if textual else payload)
        except Exception as error:
            raise BrokenPayload("the payload cannot be loaded", error) from error

    # Sealers

    def make_sealer(self, salt: str | bytes | None = None) -> Sealer:
        """A new sealer with all secret keys and the packer's own options."""
        return self.sealer(self.secret_keys, salt=self._salt_for(salt), **self.sealer_options)

    def iter_unsealers(self, salt: str | bytes | None = None) -> Iterator[Sealer]:
        """The packer's own sealer, then those of the fallbacks, made one by one."""
        yield self.make_sealer(salt)
        for entry in self.fallback_sealers:
            if isinstance(entry, dict):
                factory, options = self.sealer, entry
            elif isinstance(entry, tuple):
                factory, options = entry
            else:
                factory, options = entry, self.sealer_options
            for secret in self.secret_keys:
                yield factory(secret, salt=self._salt_for(salt), **options)

    def _salt_for(self, salt: str | bytes | None) -> bytes | None:
        return self.salt if salt is None else as_bytes(salt)

    # Packing

    def dumps(self, obj: Any, salt: str | bytes | None = None) -> str | bytes:
        """Pack and seal an object."""
        payload = as_bytes(self.dump_payload(obj))
        sealed = self.make_sealer(salt).seal(payload)
        return sealed.decode("utf-8") if self.is_text_serializer else sealed

    def dump(self, obj: Any, f: IO[Any], salt: str | bytes | None = None) -> None:
        """Pack and seal an object into a file."""
        f.write(self.dumps(obj, salt))

    # Taking back

    def loads(self, s: str | bytes, salt: str | bytes | None = None, **kwargs: Any) -> Any:
        """The object of a sealed value that one of the sealers accepts."""
        return self.load_payload(self._first_accepted(s, salt))

    def load(self, f: IO[Any], salt: str | bytes | None = None) -> Any:
        """``loads`` for what a file holds, ``salt`` being its second argument."""
        return self.loads(f.read(), salt)

    def loads_unverified(
        self, s: str | bytes, salt: str | bytes | None = None
    ) -> tuple[bool, Any]:
        """Whether the seal is right, and the object in any case where there is one."""
        return self._load_despite_seal(s, salt=salt)

    def load_unverified(self, f: IO[Any], salt: str | bytes | None = None) -> tuple[bool, Any]:
        """``loads_unverified`` for what a file holds."""
        return self.loads_unverified(f.read(), salt=salt)

    def _first_accepted(self, s: str | bytes, salt: str | bytes | None, **asked: Any) -> Any:
        """What the first sealer returns that does not refuse.

        A refusal listed by ``_is_final`` ends the search, else the last one
        is what comes out.
        """
        sealed = as_bytes(s)
        refusal = BrokenSeal("there is no sealer to take the value back with")
        for unsealer in self.iter_unsealers(salt):
            try:
                return unsealer.unseal(sealed, **asked)
            except BrokenSeal as error:
                refusal = error
                if self._is_final(error):
                    break
        raise refusal

    def _is_final(self, refusal: BrokenSeal) -> bool:
        return False

    def _load_despite_seal(self, s: str | bytes, **asked: Any) -> tuple[bool, Any]:
        try:
            return True, self.loads(s, **asked)
        except BrokenSeal as error:
            payload = error.payload
        if payload is None:
            return False, None
        try:
            return False, self.load_payload(payload)
        except BrokenPayload:
            return False, None
