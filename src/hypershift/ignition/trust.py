"""The certificates that nodes trust beside the system's, as one text."""


def bundle(*texts: str) -> str:
    """PEM texts as one, each once; a single one stays as it is, byte for byte.

    The pool's token carries a hash of the result, so that both sides make it here.
    """
    distinct = list(dict.fromkeys(text for text in texts if text))
    if len(distinct) == 1:
        return distinct[0]
    return "".join(text.rstrip("\n") + "\n" for text in distinct)
