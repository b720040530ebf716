/** Networks of a test's own: two homes, each behind a router that hides it, and the internet between them. */
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {skipFor} from './missing.ts';

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

/** @param folder for the programs by which something is run at a place */
export function openNetworks(folder: string) {
	made += 1;
	const name = (place: string) => `rt${process.pid}-${made}-${place}`;
	const at = (place: string, line: string) => need(`ip netns exec ${name(place)} ${line}`);
	const places = ['internet', 'provider', 'provider-router', 'renter', 'renter-router'];

	function joinPlaces(one: string, oneAddress: string, other: string, otherAddress: string): void {
		const [near, far] = [`to-${other.slice(0, 12)}`, `to-${one.slice(0, 12)}`];
		need(`ip link add ${near} netns ${name(one)} type veth peer name ${far} netns ${name(other)}`);
		for (const [place, link, address] of [
			[one, near, oneAddress],
			[other, far, otherAddress],
		] as const) {
			at(place, `ip addr add ${address}/24 dev ${link}`);
			at(place, `ip link set ${link} up`);
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

	for (const place of places) need(`ip netns add ${name(place)}`);
	for (const place of places) at(place, 'ip link set lo up');
	addHome('provider', MARKET, '45.10.0.2');
	addHome('renter', '45.20.0.1', '45.20.0.2');

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
			for (const place of places) run(`ip netns del ${name(place)}`);
		},
	};
}
