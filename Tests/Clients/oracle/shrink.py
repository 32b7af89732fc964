"""Makes a case that shows a difference small: fewer steps, then smaller requests."""

import copy
from dataclasses import replace


def shrink(steps, still):
    """The fewest steps with the smallest requests that `still` finds something with, and what it found."""
    found = still(steps)
    if found is None:
        return steps, None
    steps, found = _fewer(steps, still, found)
    for index in range(len(steps) - 1, -1, -1):
        steps, found = _smaller(steps, index, still, found)
    return steps, found


def _fewer(steps, still, found):
    size = max(1, len(steps) // 2)
    while True:
        index, gone = 0, False
        while index < len(steps) - 1:
            fewer = steps[:index] + steps[min(index + size, len(steps) - 1):]
            again = still(fewer)
            if again is not None:
                steps, found, gone = fewer, again, True
            else:
                index += size
        if size == 1 and not gone:
            return steps, found
        size = max(1, size // 2)


def _smaller(steps, index, still, found):
    message = getattr(steps[index], "request", None)
    if not hasattr(message, "ListFields"):
        return steps, found
    gone = True
    while gone:
        gone = False
        for smaller in _variants(steps[index].request):
            fewer = steps[:index] + [replace(steps[index], request=smaller)] + steps[index + 1:]
            again = still(fewer)
            if again is not None:
                steps, found, gone = fewer, again, True
                break
    return steps, found


def _variants(message):
    """Copies of a message with one part left out, large parts first."""
    for path in _parts(message):
        variant = copy.deepcopy(message)
        owner = variant
        for step in path[:-1]:
            owner = owner[step] if not isinstance(step, str) or hasattr(owner, "keys") else getattr(owner, step)
        last = path[-1]
        if isinstance(last, int) or hasattr(owner, "keys"):
            del owner[last]
        else:
            owner.ClearField(last)
        yield variant


def _parts(message, prefix=()):
    deeper = []
    for descriptor, value in message.ListFields():
        here = (*prefix, descriptor.name)
        if descriptor.message_type is not None and descriptor.message_type.GetOptions().map_entry:
            for key in value:
                yield (*here, key)
                deeper.append((value[key], (*here, key)))
        elif hasattr(value, "ListFields"):
            yield here
            deeper.append((value, here))
        elif isinstance(value, (str, bytes, int, float)):
            if descriptor.name not in ("database", "parent", "name"):
                yield here
        else:
            for index in range(len(value)):
                yield (*here, index)
                if hasattr(value[index], "ListFields"):
                    deeper.append((value[index], (*here, index)))
    for value, here in deeper:
        if hasattr(value, "ListFields"):
            yield from _parts(value, here)
