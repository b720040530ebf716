import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Folders} from '../folders.ts';
import {probeSsh} from './probe.ts';
import type {SshPlaces} from './ssh.ts';

/** Where SSH keeps things, and how ports are tried, for a user of this machine. */
export function sshPlaces({settings, state}: Folders): SshPlaces {
	return {
		home: homedir(),
		folder: settings,
		knownHosts: join(state, 'known_hosts'),
		probe: probeSsh,
	};
}
