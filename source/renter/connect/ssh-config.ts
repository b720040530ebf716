/**
 * Names for instances in OpenSSH's own configuration, so that `ssh rentty-train-a`, scp, rsync and
 * editors find them. The names are in a file of ours; only one line of the user's file is ours.
 */
import {shownLabel} from '../words/lease.ts';
import {codeOf} from '../../contract/rules/thrown.ts';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	sshRoutes,
	sshWord,
	type KnownHosts,
	type SshRoute,
} from '../../contract/nouns/ssh-command.ts';
import {replaceFile} from '../../client/files/files.ts';

export type SshConfig = {
	/** The line that the user's file gets. */
	readonly line: string;
	readonly userFile: string;
	/** The user's file includes the line. */
	readonly isIncluded: () => Promise<boolean>;
	/** Puts the line at the top of the user's file; the rest of the file stays. */
	readonly include: () => Promise<void>;
	/** Replaces the text of our file. */
	readonly write: (text: string) => Promise<void>;
};

export type SshConfigPaths = {
	/** The user's home, in which OpenSSH looks for `.ssh/config`. */
	readonly home: string;
	/** Folder of rentty's file. */
	readonly folder: string;
};

export function openSshConfig({home, folder}: SshConfigPaths): SshConfig {
	const ownFile = join(folder, 'ssh_config');
	const userFile = join(home, '.ssh', 'config');
	const line = `Include ${sshWord(ownFile)}`;
	let written: string | undefined;

	const isIncluded = async () =>
		(await readText(userFile)).split(/\r?\n/).some(found => found.trim() === line);

	return {
		line,
		userFile,
		isIncluded,
		async include() {
			if (await isIncluded()) return;
			// An Include after a Host line would apply only to that host.
			const own = Buffer.from(`${line}\n\n`);
			await replace(userFile, Buffer.concat([own, await readBytes(userFile)]));
		},
		async write(text) {
			if (text === written || ((await readText(ownFile)) === text && text !== '')) return;
			await replace(ownFile, text);
			written = text;
		},
	};
}

/** Bytes of a file, which need not be UTF-8; none without it. */
async function readBytes(file: string): Promise<Buffer> {
	try {
		return await readFile(file);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
		throw error;
	}
}

async function readText(file: string): Promise<string> {
	return (await readBytes(file)).toString();
}

/** Replaces a file of the user, with its permissions kept. */
async function replace(file: string, text: string | Buffer): Promise<void> {
	const mode = await stat(file).then(
		found => found.mode & 0o777,
		() => 0o600,
	);
	await replaceFile(file, text, {mode, isDurable: true});
}

/** Host keys of a service's instances, by names of their own: two services may use the same ids. */
export function knownHostsOf(file: string, service: string) {
	const owner = service.replaceAll(/[^\w.-]+/g, '-');
	return (id: number, kind: SshRoute['kind']): KnownHosts => ({
		file,
		alias: `rentty-${owner}-${id}-${kind}`,
	});
}

type Named = Pick<Instance, 'id' | 'label'> & Parameters<typeof sshRoutes>[0];

/** SSH names of instances: `rentty-train-a`; with the id if two would have the same name. */
export function sshNames(instances: readonly Named[]): ReadonlyMap<number, string> {
	const plain = new Map(
		instances.map(({id, label}) => [id, plainName(shownLabel(label)) || String(id)]),
	);
	const numbered = new Set<number>();
	for (;;) {
		const names = new Map(
			[...plain].map(([id, name]) => [id, `rentty-${numbered.has(id) ? `${name}-${id}` : name}`]),
		);
		const doubled = doublesIn(names);
		if (doubled.length === 0) return names;
		// A label may end with the id of another instance, so adding an id can create a new
		// duplicate.
		for (const id of doubled) numbered.add(id);
	}
}

/** Instances that share their name with others. */
function doublesIn(names: ReadonlyMap<number, string>): readonly number[] {
	const byName = Map.groupBy([...names.keys()], id => names.get(id)?.toLowerCase());
	return [...byName.values()].filter(ids => ids.length > 1).flat();
}

/**
 * Keeps only characters without a meaning in OpenSSH patterns: no blank, star or exclamation mark.
 */
function plainName(label: string): string {
	return label
		.replaceAll(/[^\w.-]+/g, '-')
		.replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '')
		.slice(0, 60);
}

export function sshConfigText(
	instances: readonly Named[],
	knownOf: (id: number, kind: SshRoute['kind']) => KnownHosts,
	identities: readonly string[] = [],
): string {
	const names = sshNames(instances);
	const entries = instances.flatMap(instance => {
		const [route] = sshRoutes(instance);
		const name = names.get(instance.id);
		if (route === undefined || name === undefined) return [];
		const {file, alias} = knownOf(instance.id, route.kind);
		return [
			[
				`Host ${name}`,
				`  HostName ${route.host}`,
				`  Port ${route.port}`,
				'  User root',
				'  StrictHostKeyChecking accept-new',
				`  UserKnownHostsFile ${sshWord(file)}`,
				`  HostKeyAlias ${alias}`,
				...identities.map(identity => `  IdentityFile ${sshWord(identity)}`),
			].join('\n'),
		];
	});
	return ['# rentty writes this file anew whenever instances change.', ...entries, ''].join('\n\n');
}
