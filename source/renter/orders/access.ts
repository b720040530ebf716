/** The SSH key that could enter the instance: registered with the service, and available here. */
import {basename} from 'node:path';
import type {SshKey} from '../../contract/nouns/ssh-keys.ts';
import {
	privateFile,
	type LocalKey,
	blobOf,
	amongRegistered,
	isRegistered,
	fingerprint,
	formatKeyType,
} from '../connect/keys.ts';
import type {OrderCheck} from './check.ts';
import type {RentFacts} from './rent-facts.ts';
import type {Preview} from './preview.ts';

type Access = Pick<OrderCheck, 'level' | 'text'> & {
	/** Key in a few words. */
	readonly key: string;
};

type AccessFacts = {
	readonly facts: Pick<RentFacts, 'sshKeys' | 'localKeys' | 'isAsked'>;
	readonly preview: Pick<Preview, 'values' | 'creation'>;
};

/** Undefined before keys are read. */
export function checkAccess({facts, preview}: AccessFacts): Access | undefined {
	const {sshKeys, localKeys, isAsked} = facts;
	const isVm = preview.values['vm'] === 'yes';
	if (!isVm && preview.creation.launch.value.mode === 'args') {
		return {
			level: 'ok',
			key: 'none needed',
			text: 'arguments are run as they are: there is no SSH to enter by',
		};
	}
	if (!isAsked) return undefined;
	if (sshKeys === undefined) {
		return {
			level: 'warn',
			key: 'not known',
			text: 'whether an SSH key is registered is not known',
		};
	}
	const registered = sshKeys.filter(isRegistered);
	const [first] = registered;
	if (first === undefined) return noneRegistered(isVm);
	const [mine] = amongRegistered(registered, localKeys);
	if (mine !== undefined) {
		const key = `${describeKey(mine)} registered`;
		return {level: 'ok', key, text: `SSH key ${key}, opens it from here`};
	}
	const key = `${endOfRegistered(first)} registered`;
	const but = 'but no private key in ~/.ssh or in the agent here belongs to it';
	return {level: 'warn', key, text: `SSH key ${key}, ${but}`};
}

function noneRegistered(isVm: boolean): Access {
	const key = 'none registered';
	return isVm
		? {level: 'no', key, text: 'a VM needs an SSH key first; there is no way in later'}
		: {
				level: 'warn',
				key,
				text: 'no SSH key is registered: one must be added before you can enter by SSH',
			};
}

/** A key of this machine as users recognise it: "laptop ed25519 ..kQ7m". */
function describeKey({comment, file, type, blob}: LocalKey): string {
	const name = comment === '' ? basename(privateFile({file})) : comment;
	return `${name} ${formatKeyType(type, blob)} ${endOf(blob)}`.trim();
}

/** The end of a registered key's fingerprint, which distinguishes it from others. */
function endOfRegistered(key: SshKey): string {
	return endOf(blobOf(key) ?? '');
}

function endOf(blob: string): string {
	return blob === '' ? 'unreadable' : `..${fingerprint(blob).slice(-4)}`;
}
