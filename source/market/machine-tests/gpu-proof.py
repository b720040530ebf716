"""Proof of a GPU's memory and speed: fills the memory from a seed, multiplies all of it round after round, and shows what is asked.

Counts in 32 bits: NumPy's and PyTorch's results are equal to the bit, whatever the order of sums. The words of both sides are
lines of JSON. With PyTorch and a GPU it is a card that answers; without, a memory of up to 1 GB of the processor.
"""
import hashlib, json, os

# Threads that wait for each other cost more than they bring where a processor has other work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
try:
    import numpy
except ImportError:
    numpy = None  # A machine without GPUs proves nothing.

MASK = 0xFFFFFFFF
LEAF = 1024
STEP = 0x9E3779B1
SPREAD = 0x85EBCA6B - (1 << 32)

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def mix(words):
    words = words ^ (words >> numpy.uint32(16))
    words = words * numpy.uint32(0x7FEB352D)
    words = words ^ (words >> numpy.uint32(15))
    words = words * numpy.uint32(0x846CA68B)
    return words ^ (words >> numpy.uint32(16))

def table(secret, label, rows, places):
    """Random words by row and place."""
    key = sha256(secret, label.encode())
    first, second = (numpy.uint32(int.from_bytes(key[at:at + 4], "little")) for at in (0, 4))
    rows = numpy.asarray(rows, numpy.uint32)[:, None]
    places = numpy.arange(places, dtype=numpy.uint32)[None, :]
    with numpy.errstate(over="ignore"):
        return mix(mix(places ^ mix(rows ^ first)) + mix(rows + second))

def small_numbers(words):
    """Numbers from -8 to 7, eight a word."""
    shifts = numpy.arange(0, 32, 4, dtype=numpy.uint32)
    numbers = (words[..., None] >> shifts) & numpy.uint32(15)
    return (numbers.astype(numpy.int8) - numpy.int8(8)).reshape(words.shape[0], -1)

class Processor:
    """Main memory and NumPy. Sums of float32 are exact below 2**24, so products are taken in pieces."""
    name, most_bytes, rows_at_once, piece = "a processor", 1 << 30, 2048, 16384

    def room(self):
        return self.most_bytes

    def reserve(self, rows, columns):
        self.memory = numpy.empty((rows, columns), numpy.int8)

    def matrix(self, numbers):
        return numbers.astype(numpy.float32)

    def product(self, left, right):
        """Exact 32-bit sums of left times right turned over."""
        total = 0
        for start in range(0, right.shape[1], self.piece):
            part = slice(start, start + self.piece)
            total = total + (self.floats(left[:, part]) @ self.floats(right[:, part]).T).astype(numpy.int32)
        return total

    def floats(self, numbers):
        return numbers if numbers.dtype == numpy.float32 else numbers.astype(numpy.float32)

    def fill(self, seed, columns, layers):
        weights = self.matrix(small_numbers(table(seed, "weights", range(columns), columns // 8)))
        shifts = table(seed, "shifts", range(layers), columns).view(numpy.int32)
        for start in range(0, len(self.memory), self.rows_at_once):
            rows = range(start, min(start + self.rows_at_once, len(self.memory)))
            part = table(seed, "fill", rows, columns // 4).view(numpy.int8)
            for layer in range(layers):
                sums = self.product(part, weights) * numpy.int32(SPREAD) + shifts[layer]
                part = (sums >> 24).astype(numpy.int8)
            self.memory[start:rows.stop] = part

    def round(self, numbers, unit):
        units = self.memory.reshape(-1, unit)
        steps = (numpy.arange(len(numbers), dtype=numpy.uint32) * numpy.uint32(STEP))[:, None]
        matrix, found = self.matrix(numbers), []
        for start in range(0, len(units), 64):
            sums = self.product(matrix, units[start:start + 64]).view(numpy.uint32) + steps
            found.append(mix(sums).sum(axis=0, dtype=numpy.uint32))
        return numpy.concatenate(found)

    def unit(self, index, unit):
        return self.memory.reshape(-1, unit)[index].tobytes()

class Card:
    """A GPU's memory and PyTorch, whose 32-bit numbers have signs: a shift to the right is made clean by a mask."""
    rows_at_once, units_at_once, spare = 4096, 16384, 700 << 20
    fused = "template <typename T> T upper(T sum, T shift) { return (T) ((int) ((unsigned) sum * %dU + (unsigned) shift) >> 24); }"

    def __init__(self, torch, index):
        self.torch, self.index = torch, index
        self.name = torch.cuda.get_device_name(index)
        self.device = "cuda:%d" % index
        self.multiply, self.upper = self.quickest(), self.upper_plain
        try:
            upper = torch.cuda.jiterator._create_jit_fn(self.fused % (SPREAD & MASK))
            sums, shift = (self.on(table(b"try", name, range(64), 64)) for name in ("sums", "shift"))
            if torch.equal(upper(sums, shift[0]), self.upper_plain(sums, shift[0])):
                self.upper = upper
        except Exception:
            pass

    def room(self):
        return self.torch.cuda.mem_get_info(self.index)[0] - self.spare

    def reserve(self, rows, columns):
        self.memory = self.torch.empty((rows, columns), dtype=self.torch.int8, device=self.device)

    def on(self, numbers):
        """Words of NumPy on the card, as numbers with signs."""
        signed = numbers.view(numpy.int32) if numbers.dtype == numpy.uint32 else numbers
        return self.torch.from_numpy(numpy.ascontiguousarray(signed)).to(self.device)

    def by_int8(self, left, right):
        return self.torch._int_mm(left, right.t())

    def by_float32(self, left, right):
        """Where int8 products are missing or faulty, as on some cards: exact in pieces."""
        found = []
        for some in right.split(2048):
            pairs = zip(left.split(16384, 1), some.split(16384, 1))
            found.append(sum((one.float() @ other.float().t()).int() for one, other in pairs))
        return self.torch.cat(found, 1)

    def quickest(self):
        """int8 products, if this card has them and they are right."""
        torch = self.torch
        torch.backends.cuda.matmul.allow_tf32 = False
        left, right = (self.on(small_numbers(table(b"try", name, range(64), 64))) for name in ("left", "right"))
        try:
            return self.by_int8 if torch.equal(self.by_int8(left, right), self.by_float32(left, right)) else self.by_float32
        except Exception:
            return self.by_float32

    def upper_plain(self, sums, shift):
        return (sums * SPREAD + shift) >> 24

    def shifted(self, words, count):
        return (words >> count) & (MASK >> count)

    def mix(self, words):
        words = words ^ self.shifted(words, 16)
        words = words * 0x7FEB352D
        words = words ^ self.shifted(words, 15)
        words = words * (0x846CA68B - (1 << 32))
        return words ^ self.shifted(words, 16)

    def first_rows(self, seed, start, stop, places):
        """What `table` gives, made on the card."""
        key = sha256(seed, b"fill")
        first, second = (int.from_bytes(key[at:at + 4], "little", signed=True) for at in (0, 4))
        rows = self.torch.arange(start, stop, dtype=self.torch.int32, device=self.device)[:, None]
        places = self.torch.arange(places, dtype=self.torch.int32, device=self.device)[None, :]
        words = self.mix(self.mix(places ^ self.mix(rows ^ first)) + self.mix(rows + second))
        return words.view(self.torch.int8)

    def fill(self, seed, columns, layers):
        weights = self.on(small_numbers(table(seed, "weights", range(columns), columns // 8)))
        shifts = self.on(table(seed, "shifts", range(layers), columns))
        for start in range(0, len(self.memory), self.rows_at_once):
            stop = min(start + self.rows_at_once, len(self.memory))
            part = self.first_rows(seed, start, stop, columns // 4)
            for layer in range(layers):
                part = self.upper(self.multiply(part, weights), shifts[layer]).to(self.torch.int8)
            self.memory[start:stop] = part

    def round(self, numbers, unit):
        units = self.memory.view(-1, unit)
        steps = self.on(numpy.arange(len(numbers), dtype=numpy.uint32) * numpy.uint32(STEP))[:, None]
        matrix, found = self.on(numbers), []
        for start in range(0, len(units), self.units_at_once):
            sums = self.multiply(matrix, units[start:start + self.units_at_once]) + steps
            found.append(self.mix(sums).sum(dim=0, dtype=self.torch.int64))
        total = self.torch.cat(found) & MASK
        return total.cpu().numpy().astype(numpy.uint32)

    def unit(self, index, unit):
        return self.memory.view(-1, unit)[index].cpu().numpy().tobytes()

def card(index, most):
    """The card that answers; a processor where only a small memory is asked of; None without either."""
    if numpy is None:
        return None
    try:
        import torch
        if torch.cuda.is_available():
            return Card(torch, index)
    except ImportError:
        pass
    return Processor() if most <= Processor.most_bytes else None

def tree(numbers):
    """Hashes of a round's numbers from the leaves up; one without a sister goes up as it is."""
    data = numbers.astype("<u4").tobytes()
    levels = [[sha256(b"\0", data[at:at + 4 * LEAF]) for at in range(0, len(data), 4 * LEAF)]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = [below[at:at + 2] for at in range(0, len(below), 2)]
        levels.append([sha256(b"\1", *pair) if len(pair) == 2 else pair[0] for pair in pairs])
    return data, levels

def path(levels, place):
    hashes = []
    for level in levels[:-1]:
        if place ^ 1 < len(level):
            hashes.append(level[place ^ 1].hex())
        place >>= 1
    return hashes

def prove(reader, write, index):
    """Holds the conversation with the market about one card."""
    def read():
        return json.loads(reader.readline(1 << 20))

    def say(**words):
        write((json.dumps(words) + "\n").encode())

    asked = read()
    form, most = asked["form"], asked["most"]
    here = card(index, most)
    if here is None:
        return say(none="the image has nothing that computes on a GPU")
    unit, columns, kept = form["unit"], form["columns"], []
    units = min(most, here.room()) // unit // 8 * 8
    here.reserve(units * unit // columns, columns)
    say(ready=units, name=here.name)
    seed = bytes.fromhex(read()["seed"])
    here.fill(seed, columns, form["layers"])

    def batch(nonce, rounds):
        state, trees = sha256(seed, b"batch", nonce), []
        for _ in range(rounds):
            numbers = small_numbers(table(state, "round", range(form["tall"]), unit // 8))
            trees.append(tree(here.round(numbers, unit)))
            state = sha256(state, trees[-1][1][-1][0])
        kept.append(trees)
        say(roots=[levels[-1][0].hex() for _, levels in trees])

    batch(b"", 1)
    while True:
        word = read()
        if "nonce" in word:
            batch(bytes.fromhex(word["nonce"]), form["rounds"])
            continue
        for at, round, place in word["show"]:
            data, levels = kept[at][round]
            leaf = place // LEAF
            shown = data[leaf * 4 * LEAF:(leaf + 1) * 4 * LEAF]
            say(leaf=shown.hex(), path=path(levels, leaf), unit=here.unit(place, unit).hex())
        return
