"""A slow line between two network interfaces: frames are delayed, spaced and lost, by a seed.

Usage: slow-link.py ONE OTHER DELAY_MS LOSS BITS_PER_SECOND SEED
"""
import heapq
import random
import select
import socket
import sys
import time

SOL_PACKET = 263
PACKET_VNET_HDR = 15
PACKET_IGNORE_OUTGOING = 23
ETH_P_ALL = 3
# A frame as the kernel hands it on may be many packets in one.
LONGEST = 70000
# Frames that wait in a direction; more are lost, as in a router.
MOST_BYTES = 128 * 1024


def open_end(name):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    # With its header a frame keeps what is left to be done for it: its checksum, and its pieces.
    end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    end.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    end.bind((name, 0))
    end.setblocking(False)
    return end


def main():
    one, other, delay, loss, rate, seed = sys.argv[1:]
    delay, loss, rate = float(delay) / 1000, float(loss), float(rate)
    chance = random.Random(int(seed))
    ends = [open_end(one), open_end(other)]
    free_at, waiting, due, count = [0.0, 0.0], [0, 0], [], 0
    print("joined", flush=True)
    while True:
        now = time.monotonic()
        patience = max(0, due[0][0] - now) if due else None
        ready, _, _ = select.select(ends, [], [], patience)
        now = time.monotonic()
        for end in ready:
            way = ends.index(end)
            frame = end.recv(LONGEST)
            if chance.random() < loss or waiting[way] + len(frame) > MOST_BYTES:
                continue
            waiting[way] += len(frame)
            free_at[way] = max(now, free_at[way]) + len(frame) * 8 / rate
            count += 1
            heapq.heappush(due, (free_at[way] + delay, count, way, frame))
        while due and due[0][0] <= now:
            _, _, way, frame = heapq.heappop(due)
            waiting[way] -= len(frame)
            try:
                ends[1 - way].send(frame)
            except OSError:
                # A frame that its other end does not take is lost.
                pass


main()
