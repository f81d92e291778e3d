"""Reads Debian's Translation-xx files: stanzas of package name, checksum of the English
description, and the description in one language (Debian policy, section 5.6.13).
"""

import dataclasses
import re

# The field is called Description-en, Description-de, Description-pt_BR, ...
_STANZA_END = re.compile(rb"\n[ \t]*\n")
_CHECKSUM = re.compile(rb"^Description-md5: *([0-9a-f]{32})", re.MULTILINE)
_PACKAGE = re.compile(rb"^Package: *(\S+)", re.MULTILINE)


@dataclasses.dataclass
class Description:
    package: str
    text: str  # the field as it is: the synopsis, then lines that begin with a space


def parse_translation(data, language, wanted=None):
    """Maps the checksum of the English description to the description in `language`.

    data     bytes of a Translation file
    wanted   the checksums to keep, or None for all
    returns  dict from checksum (bytes) to Description, and how many stanzas could not be used
    """
    field = re.compile(rb"^Description-" + language.encode() + rb": *((?:.*)(?:\n[ \t].*)*)",
                       re.MULTILINE)
    found, unusable = {}, 0
    for stanza in _STANZA_END.split(data):
        checksum = _CHECKSUM.search(stanza)
        if not checksum:
            unusable += 1 if stanza.strip() else 0
            continue
        if wanted is not None and checksum[1] not in wanted:
            continue
        package, text = _PACKAGE.search(stanza), field.search(stanza)
        description = _decode(package, text)
        if description:
            found.setdefault(checksum[1], description)
        else:
            unusable += 1
    return found, unusable


def _decode(package, text):
    if not package or not text:
        return None
    try:
        return Description(package[1].decode("ascii"), text[1].decode("utf-8"))
    except UnicodeDecodeError:
        return None
