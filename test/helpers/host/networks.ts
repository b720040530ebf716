/** Networks of a test's own: two homes, each behind a router that hides it, and the internet between them. */
import {spawn, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {skipFor} from '../missing.ts';

function run(line: string): boolean {
	const [program = '', ...args] = line.split(' ');
	return spawnSync(program, args).status === 0;
}

function need(line: string): void {
	if (!run(line)) throw new Error(`${line} failed`);
}

/** Why there are no networks of a test's own; undefined where there can be some. */
export const noNetworks = skipFor(whyNot());

function whyNot(): string | undefined {
	if (process.getuid?.() !== 0) return 'networks are made as root';
	const name = `rt${process.pid}t`;
	const works =
		run(`ip netns add ${name}`) &&
		run(`ip netns exec ${name} iptables -t nat -A POSTROUTING -j MASQUERADE`);
	run(`ip netns del ${name}`);
	return works ? undefined : 'network namespaces with iptables cannot be made here';
}

export type Place = 'internet' | 'provider' | 'renter';

/** The market's address: a public one, as far as these networks know. */
export const MARKET = '45.10.0.1';

let made = 0;

/** A line that delays frames, loses a share of them, and carries so many bits a second. */
export type SlowLine = {
	readonly delayMs: number;
	readonly loss: number;
	readonly bitsPerSecond: number;
	readonly seed: number;
};

const slowLink = join(import.meta.dirname, 'slow-link.py');

/**
 * @param folder for the programs by which something is run at a place
 * @param slow the provider's line to the internet; undefined for a quick one
 */
export function openNetworks(folder: string, slow?: SlowLine) {
	made += 1;
	const name = (place: string) => `rt${process.pid}-${made}-${place}`;
	const at = (place: string, line: string) => need(`ip netns exec ${name(place)} ${line}`);
	const homes = ['internet', 'provider', 'provider-router', 'renter', 'renter-router'];
	const places = slow === undefined ? homes : [...homes, 'line'];

	/** Joins two places by a link whose ends are called after where they lead. */
	function link(one: string, near: string, other: string, far: string): void {
		need(`ip link add ${near} netns ${name(one)} type veth peer name ${far} netns ${name(other)}`);
	}

	function joinPlaces(one: string, oneAddress: string, other: string, otherAddress: string): void {
		const [near, far] = [`to-${other.slice(0, 12)}`, `to-${one.slice(0, 12)}`];
		if (slow !== undefined && other === 'provider-router') {
			link(one, near, 'line', 'end-1');
			link('line', 'end-2', other, far);
		} else {
			link(one, near, other, far);
		}
		for (const [place, ownLink, address] of [
			[one, near, oneAddress],
			[other, far, otherAddress],
		] as const) {
			at(place, `ip addr add ${address}/24 dev ${ownLink}`);
			at(place, `ip link set ${ownLink} up`);
		}
	}

	/** A home whose router shows one address for all in it, as most do. */
	function addHome(place: 'provider' | 'renter', internet: string, outside: string): void {
		const router = `${place}-router`;
		joinPlaces('internet', internet, router, outside);
		joinPlaces(router, '10.0.0.1', place, '10.0.0.2');
		at(router, `ip route add default via ${internet}`);
		at(place, 'ip route add default via 10.0.0.1');
		at(router, 'sysctl -qw net.ipv4.ip_forward=1');
		at(router, 'iptables -t nat -A POSTROUTING -o to-internet -j MASQUERADE');
		at(router, 'iptables -A FORWARD -i to-internet -m state --state NEW -j DROP');
	}

	/** Carries frames between the two ends of the slow line. */
	function carry({delayMs, loss, bitsPerSecond, seed}: SlowLine) {
		for (const end of ['end-1', 'end-2']) at('line', `ip link set ${end} up`);
		const numbers = [delayMs, loss, bitsPerSecond, seed].map(String);
		const args = ['python3', slowLink, 'end-1', 'end-2', ...numbers];
		return spawn('ip', ['netns', 'exec', name('line'), ...args], {stdio: 'ignore'});
	}

	for (const place of places) need(`ip netns add ${name(place)}`);
	for (const place of places) at(place, 'ip link set lo up');
	addHome('provider', MARKET, '45.10.0.2');
	addHome('renter', '45.20.0.1', '45.20.0.2');
	const line = slow && carry(slow);

	return {
		/** Words before a command that run it at a place. */
		words: (place: Place) => ['ip', 'netns', 'exec', name(place)],
		/** A program that runs another one at a place. */
		program(place: Place, path: string): string {
			const file = join(folder, `at-${place}`);
			writeFileSync(file, `#!/bin/sh\nexec ip netns exec ${name(place)} ${path} "$@"\n`, {
				mode: 0o755,
			});
			return file;
		},
		/** Gives the provider's router another address, as a line does that is dialled anew. */
		moveProvider(address: string): void {
			at('provider-router', 'ip addr flush dev to-internet');
			at('provider-router', `ip addr add ${address}/24 dev to-internet`);
			at('provider-router', `ip route add default via ${MARKET}`);
		},
		/** Pulls the provider's plug, or puts it in again. */
		plug(isIn: boolean): void {
			at('provider-router', `ip link set to-internet ${isIn ? 'up' : 'down'}`);
			if (isIn) run(`ip netns exec ${name('provider-router')} ip route add default via ${MARKET}`);
		},
		[Symbol.dispose]() {
			line?.kill();
			for (const place of places) run(`ip netns del ${name(place)}`);
		},
	};
}
