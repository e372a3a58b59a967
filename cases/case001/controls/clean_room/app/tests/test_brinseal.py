"""Checks of the behaviour that the PRD states; run with ``unittest``."""

import base64
import functools
import hashlib
import hmac
import pickle
import subprocess
import sys
import unittest

import brinseal
from brinseal import (BrokenData, BrokenSeal, HmacAlgorithm, NullAlgorithm,
                      Sealer, as_bytes, base64_decode, base64_encode)
from brinseal.sealer import SealAlgorithm

ALPH = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_="
VALUES = ["", "hi", "grüße", b"\xff\x00", b"a.b.", b"....", b"x" * 500]
DIGESTS = [hashlib.sha1, hashlib.sha256, hashlib.md5, hashlib.sha384, hashlib.sha512,
           hashlib.sha3_256, hashlib.blake2b, hashlib.blake2s,
           functools.partial(hashlib.new, "sha224"), lambda d=b"": hashlib.sha256(d)]


def b64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def expect_key(der, salt, key, dig):
    return {"infix-concat": lambda: dig(salt + b"sealer" + key).digest(),
            "concat": lambda: dig(salt + key).digest(),
            "hmac": lambda: hmac.new(key, salt, dig).digest(),
            "none": lambda: key}[der]()


class Rev(SealAlgorithm):
    def get_signature(self, key, value):
        return hashlib.sha256(value[::-1] + key).digest()


class Normal(unittest.TestCase):
    def test_keeps_settings(self):
        s = Sealer("k")
        self.assertEqual((s.secret_keys, s.secret_key, s.salt, s.sep, s.key_derivation),
                         ([b"k"], b"k", b"brinseal.Sealer", b".", "infix-concat"))
        self.assertIs(s.digest_method, hashlib.sha1)
        self.assertIs(Sealer.default_digest_method, hashlib.sha1)
        self.assertIs(HmacAlgorithm.default_digest_method, hashlib.sha1)
        self.assertIsInstance(s.algorithm, HmacAlgorithm)
        own = ["a", b"b", "ü"]
        s = Sealer(own, "sä", "§", "none", hashlib.sha256, None)
        self.assertEqual(s.secret_keys, [b"a", b"b", "ü".encode()])
        self.assertIsNot(s.secret_keys, own)
        self.assertEqual((s.salt, s.sep), ("sä".encode(), "§".encode()))
        self.assertEqual(Sealer(x for x in ("a", "b")).secret_keys, [b"a", b"b"])
        self.assertEqual(Sealer("k", None).salt, b"brinseal.Sealer")
        self.assertEqual(Sealer("k", "").salt, b"")
        self.assertEqual(Sealer("").secret_keys, [b""])

    def test_bytes_and_round_trip(self):
        for der in ("infix-concat", "concat", "hmac", "none", None):
            for dig in DIGESTS:
                for salt in (b"", b"s", "ß"):
                    for key in (b"", "k", b"\xff" * 200):
                        for sep in (b".", b"..", b"=.", "ab!", b"==", b"\x00"):
                            s = Sealer(key, salt, sep, der, dig)
                            dk = expect_key(der or "infix-concat", as_bytes(salt), as_bytes(key), dig)
                            self.assertEqual(s.derive_key(), dk)
                            for v in VALUES:
                                want = as_bytes(v) + as_bytes(sep) + b64(hmac.new(dk, as_bytes(v), dig).digest())
                                got = s.seal(v)
                                self.assertEqual(got, want)
                                self.assertEqual(s.unseal(got), as_bytes(v))
        self.assertEqual(len(Sealer("k").get_signature("v")), 27)
        self.assertEqual(Sealer("k").unseal(Sealer("k").seal("grüße").decode()), "grüße".encode())

    def test_derive_given(self):
        s = Sealer(["a", "b"])
        self.assertEqual(s.derive_key("a"), Sealer("a").derive_key())
        self.assertEqual(s.derive_key(), Sealer("b").derive_key())
        self.assertEqual(s.derive_key(b""), Sealer("").derive_key())

    def test_subclass_defaults(self):
        class S(Sealer):
            default_key_derivation = "concat"
            default_digest_method = lambda d=b"": hashlib.sha256(d)
        self.assertEqual(S("k").seal("v"), Sealer("k", None, b".", "concat", hashlib.sha256).seal("v"))

        class H(HmacAlgorithm):
            default_digest_method = hashlib.sha512
        self.assertEqual(H().get_signature(b"k", b"v"), hmac.digest(b"k", b"v", "sha512"))
        self.assertEqual(H(hashlib.md5).get_signature(b"k", b"v"), hmac.digest(b"k", b"v", "md5"))

        for name in ("concat", "hmac", "none"):
            sub = type("Sub", (Sealer,), {"default_key_derivation": name})
            for s in (sub("k"), sub("k", key_derivation=None)):
                self.assertEqual(s.key_derivation, name)
                self.assertEqual(s.seal("v"), Sealer("k", key_derivation=name).seal("v"))
            self.assertEqual(sub("k", key_derivation="infix-concat").seal("v"), Sealer("k").seal("v"))
        self.assertEqual(Sealer.default_key_derivation, "infix-concat")

    def test_algorithm(self):
        a = Rev()
        s = Sealer("k", algorithm=a, digest_method=hashlib.md5)
        self.assertIs(s.algorithm, a)
        self.assertEqual(s.get_signature("v"), b64(a.get_signature(hashlib.md5(b"brinseal.Sealersealerk").digest(), b"v")))
        self.assertEqual(s.unseal(s.seal("v")), b"v")
        self.assertFalse(Sealer("k").validate(s.seal("v")))
        calls = []

        class Spy(Rev):
            def verify_signature(self, key, value, sig):
                calls.append((key, value, sig))
                return key == hashlib.sha1(b"brinseal.Sealersealer1").digest()
        s = Sealer("123", algorithm=Spy())
        s = Sealer(["1", "2", "3"], algorithm=Spy())
        self.assertIs(s.verify_signature("v", "QQ"), True)
        self.assertEqual(calls, [(s.derive_key(k), b"v", b"A") for k in "321"])
        self.assertIs(s.verify_signature("v", "Q"), False)
        self.assertEqual(len(calls), 3)
        self.assertEqual(Sealer("1", algorithm=Spy()).unseal("v."), b"v")
        h = Sealer("k", algorithm=HmacAlgorithm(hashlib.sha512))
        self.assertEqual(h.get_signature("v"), b64(hmac.digest(Sealer("k").derive_key(), b"v", "sha512")))
        base = SealAlgorithm()
        with self.assertRaises(NotImplementedError):
            base.get_signature(b"", b"")
        with self.assertRaises(NotImplementedError):
            base.verify_signature(b"", b"", b"")
        with self.assertRaises(NotImplementedError):
            Sealer("k", algorithm=base).seal("v")
        with self.assertRaises(NotImplementedError):
            Sealer("k", algorithm=base).validate("v.QQ")
        self.assertIs(Rev().verify_signature(b"k", b"v", Rev().get_signature(b"k", b"v")), True)
        self.assertIs(Rev().verify_signature(b"k", b"v", b""), False)
        self.assertEqual(HmacAlgorithm(None).get_signature(b"k", b"v"), hmac.digest(b"k", b"v", "sha1"))

    def test_rotation(self):
        old, new, both, other = Sealer("o"), Sealer("n"), Sealer(["o", "n"]), Sealer("x")
        self.assertEqual(both.seal("v"), new.seal("v"))
        for s in (old, new, both):
            self.assertEqual(both.unseal(s.seal("v")), b"v")
        self.assertFalse(both.validate(other.seal("v")))
        self.assertFalse(new.validate(old.seal("v")))

    def test_helpers(self):
        for n in range(300):
            raw = bytes((i * 7 + n) % 256 for i in range(n))
            e = base64_encode(raw)
            self.assertEqual(e, b64(raw))
            for form in (e, e.decode(), base64.urlsafe_b64encode(raw), "é" + e.decode() + "\ud800"):
                self.assertEqual(base64_decode(form), raw)
        self.assertEqual(base64_encode("ü"), b64("ü".encode()))
        for bad in ("A", b"ABCDE", "-___-", "Aé"):
            with self.assertRaises(BrokenData) as c:
                base64_decode(bad)
            self.assertIs(type(c.exception), BrokenData)
        self.assertEqual(as_bytes("ü", "latin-1"), b"\xfc")
        self.assertEqual(as_bytes("aü", "ascii", "ignore"), b"a")
        self.assertEqual(as_bytes(b"\xff", "ascii"), b"\xff")
        with self.assertRaises(UnicodeEncodeError):
            as_bytes("ü", encoding="ascii")


class Boundary(unittest.TestCase):
    def test_null(self):
        s = Sealer("k", algorithm=NullAlgorithm())
        self.assertEqual(s.seal("v"), b"v.")
        self.assertEqual(s.unseal(b"any.thing."), b"any.thing")
        for bad in (b"v.QQ", b"v.Q", b"v"):
            self.assertFalse(s.validate(bad))
        self.assertEqual(NullAlgorithm().get_signature(b"k", b"v"), b"")

    def test_spelling(self):
        s = Sealer("k")
        sig = s.get_signature("v").decode()
        alph = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        i = alph.index(sig[-1])
        for f in range(4):
            self.assertTrue(s.verify_signature("v", sig[:-1] + alph[i & ~3 | f]))
        self.assertFalse(s.verify_signature("v", sig[:-1] + alph[i ^ 4]))
        self.assertTrue(s.verify_signature(b"v", sig + "="))
        self.assertTrue(s.verify_signature(b"v", (sig + "=").encode()))
        self.assertTrue(s.verify_signature(b"v", "é" + sig + "ü"))
        self.assertTrue(s.validate(s.seal("v") + b"="))

    def test_keys(self):
        for bad in (None, 5, 1.5, [None], [1]):
            with self.assertRaises(TypeError):
                Sealer(bad)
        s = Sealer([])
        self.assertEqual(s.secret_keys, [])
        self.assertIs(s.verify_signature(b"v", b"QQ"), False)
        self.assertIs(s.validate(b"v.QQ"), False)
        for v in (b"v.QQ", b"v", b""):
            with self.assertRaises(BrokenSeal):
                s.unseal(v)
        for f in (lambda: s.secret_key, s.derive_key, lambda: s.get_signature("v"), lambda: s.seal("v")):
            with self.assertRaises(IndexError):
                f()
        with self.assertRaises(IndexError):
            Sealer([], key_derivation="zz").seal("v")

    def test_sep(self):
        for i in range(len(ALPH)):
            for j in range(i, len(ALPH) + 1):
                with self.assertRaises(ValueError):
                    Sealer("k", sep=ALPH[i:j])
        for ok in (b"ba", b"==", b"=a", b"aa", "é", b"\n", b".a", "-A"):
            Sealer("k", sep=ok)
        for b in range(256):
            if bytes([b]) not in ALPH:
                s = Sealer("k", sep=bytes([b]))
                self.assertEqual(s.unseal(s.seal(bytes(range(256)))), bytes(range(256)))

    def test_refusals(self):
        s = Sealer("k")
        for v in (b"", "", b"abc"):
            with self.assertRaises(BrokenSeal) as c:
                s.unseal(v)
            self.assertIsNone(c.exception.payload)
        good = s.seal("a.b")
        for v in (b"a.b.", b"a.b.A", b"a.b.QQ", b"a.b." + good[5:], b"a.b.!!", b"a.b.\xff"):
            with self.assertRaises(BrokenSeal) as c:
                s.unseal(v)
            self.assertEqual(c.exception.payload, b"a.b")
            self.assertIs(s.validate(v), False)
        self.assertIs(s.validate(b"x" + good), False)
        self.assertIs(s.validate(good), True)
        for bad in (None, 5, 1.5):
            for f in (s.seal, s.unseal, s.validate, s.get_signature):
                with self.assertRaises(TypeError):
                    f(bad)
        for f in (s.seal, s.unseal, s.validate):
            with self.assertRaises(UnicodeEncodeError):
                f("\ud800.QQ")

    def test_derivation_name(self):
        for name in ("Concat", "", "django", 7, [], {}, b"none", "none "):
            s = Sealer("k", key_derivation=name)
            self.assertEqual(s.key_derivation, name)
            for f in (s.derive_key, lambda: s.get_signature("v"), lambda: s.seal("v"),
                      lambda: s.verify_signature("v", "QQ"), lambda: s.unseal("v."),
                      lambda: s.validate("v.QQ")):
                with self.assertRaises(TypeError):
                    f()
            self.assertFalse(s.validate("v.Q"))
            self.assertFalse(s.validate("v"))
            self.assertFalse(s.verify_signature("v", "Q"))

    def test_errors(self):
        e = BrokenData("m")
        self.assertEqual((e.message, str(e)), ("m", "m"))
        e = BrokenSeal(message="m", payload=b"p")
        self.assertEqual((e.message, str(e), e.payload), ("m", "m", b"p"))
        self.assertIsNone(BrokenSeal("m").payload)
        self.assertTrue(issubclass(BrokenSeal, BrokenData) and issubclass(BrokenData, Exception))
        self.assertEqual(pickle.loads(pickle.dumps(e)).payload, b"p")

    def test_silent_import(self):
        r = subprocess.run([sys.executable, "-W", "error", "-c", "import brinseal, brinseal.sealer"], capture_output=True)
        self.assertEqual((r.returncode, r.stdout, r.stderr), (0, b"", b""))


if __name__ == "__main__":
    unittest.main()
