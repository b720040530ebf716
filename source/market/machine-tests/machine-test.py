"""Checks that an instance makes of its machine: a line each on its output, and a port that answers what the market asks."""
import hashlib, hmac, json, os, shutil, socket, subprocess, sys, threading, time

secret = os.environ["RENTTY_TEST"].encode()
text = sys.orig_argv[sys.orig_argv.index("-c") + 1]

def say(name, outcome, detail, value=None):
    line = {"name": name, "outcome": outcome, "detail": detail, "value": value}
    print("RENTTY-TEST " + json.dumps(line), flush=True)

def signed(text):
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()

def answer(connection):
    connection.settimeout(30)
    reader = connection.makefile("rb")
    word, count, nonce, proof = reader.readline(300).decode().split()
    count = min(int(count), 64)
    if not hmac.compare_digest(proof, signed(word + " " + str(count) + " " + nonce)):
        return
    if word == "take":
        for _ in range(count):
            if len(reader.read(1 << 20)) < 1 << 20:
                return
        # The last line is signed, which nobody knows who has not read all.
        nonce = reader.readline(300).decode().strip()
    connection.sendall((signed("ok " + nonce) + "\n").encode())
    if word == "send":
        for _ in range(count):
            connection.sendall(bytes(1 << 20))
    if word == "prove":
        # A process for each card: they work at the same time, and one that runs out of memory ends alone.
        words = [sys.executable, "-c", text, "prove", str(count), str(connection.fileno())]
        subprocess.run(words, pass_fds=[connection.fileno()])

def prove_here(card, number):
    connection = socket.socket(fileno=number)
    connection.settimeout(None)
    prove(connection.makefile("rb"), connection.sendall, card)

def quietly(connection):
    try:
        answer(connection)
    except Exception:
        pass
    finally:
        connection.close()

def serve():
    names = [name for name in os.environ if name.startswith("VAST_TCP_PORT_")]
    port = int(next(os.environ[name] for name in names if name != "VAST_TCP_PORT_22"))
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", port))
    listener.listen(8)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=quietly, args=(connection,), daemon=True).start()

def disk():
    size, block = 0, os.urandom(1 << 22)
    path = "rentty-test.bin"
    start = time.monotonic()
    try:
        with open(path, "wb") as file:
            while size < 256 << 20 and time.monotonic() - start < 15:
                size += file.write(block)
            file.flush()
            os.fsync(file.fileno())
    finally:
        if os.path.exists(path):
            os.remove(path)
    speed = size / 1e6 / max(time.monotonic() - start, 1e-6)
    free = shutil.disk_usage(".").free // 1000000000
    say("disk", "passed", "%d MB/s written; %d GB free" % (speed, free), round(speed, 1))

def memory():
    data = bytearray(os.urandom(1 << 20) * 128)
    start = time.monotonic()
    for _ in range(4):
        bytes(data)
    speed = 4 * len(data) / 1e9 / max(time.monotonic() - start, 1e-6)
    say("memory", "passed", "%.1f GB/s copied" % speed, round(speed, 2))

def limits():
    found = []
    for name in ("memory.max", "pids.max", "cpu.max"):
        try:
            with open("/sys/fs/cgroup/" + name) as file:
                found.append(name + " " + file.read().split()[0])
        except OSError:
            found.append(name + " not seen")
    if any(part.endswith("seen") for part in found):
        say("limits", "skipped", "they cannot be seen from inside")
        return
    whole = all(not part.endswith(" max") for part in found[:2])
    say("limits", "passed" if whole else "failed", ", ".join(found))

def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=20).stdout

def use():
    if shutil.which("nvidia-smi"):
        text = run("nvidia-smi", "--query-gpu=utilization.gpu,temperature.gpu", "--format=csv,noheader,nounits")
        return [tuple(int(part) for part in line.split(",")) for line in text.splitlines() if line.strip()]
    return []

def count():
    wanted = int(os.environ.get("GPU_COUNT", "0"))
    if wanted == 0:
        return 0
    tool = shutil.which("nvidia-smi") or shutil.which("rocm-smi")
    if tool is None:
        say("gpus", "skipped", "no tool of the driver is there to count them")
        return 0
    lines = run(tool, "-L" if "nvidia" in tool else "-i").splitlines()
    seen = sum(1 for line in lines if line.startswith("GPU") and ("UUID" in line or "Device ID" in line))
    say("gpus", "passed" if seen >= wanted else "failed", "%d of %d" % (seen, wanted), seen)
    return min(seen, wanted)

def busy(gpus):
    try:
        import torch
    except ImportError:
        say("gpu_busy", "skipped", "the image has nothing that computes on a GPU")
        return
    size = 8192
    parts = [torch.randn(size, size, device="cuda:%d" % index, dtype=torch.float16) for index in range(gpus)]
    done, peak, heat, start = 0, 0, 0, time.monotonic()
    while time.monotonic() - start < 60:
        for _ in range(20):
            for part in parts:
                part @ part
        for index in range(gpus):
            torch.cuda.synchronize(index)
        done += 20 * gpus
        seen = use()
        peak = max([peak] + [one[0] for one in seen])
        heat = max([heat] + [one[1] for one in seen])
    parts.clear()
    torch.cuda.empty_cache()
    seconds = time.monotonic() - start
    tflops = 2 * size ** 3 * done / seconds / 1e12
    said = "%.0f TFLOPS of half precision for %d s" % (tflops, seconds)
    if peak:
        said += ", %d %% busy, %d C" % (peak, heat)
    say("gpu_busy", "passed" if tflops > 0 and (peak == 0 or peak >= 50) else "failed", said, round(tflops, 1))

def checked(name, check, *given):
    try:
        return check(*given)
    except Exception as error:
        say(name, "failed", str(error)[:200] or type(error).__name__)

if sys.argv[1:2] == ["prove"]:
    sys.exit(prove_here(int(sys.argv[2]), int(sys.argv[3])))
threading.Thread(target=serve, daemon=True).start()
checked("disk", disk)
checked("memory", memory)
checked("limits", limits)
seen = checked("gpus", count)
if seen:
    checked("gpu_busy", busy, seen)
say("end", "passed", "")
time.sleep(1800)
