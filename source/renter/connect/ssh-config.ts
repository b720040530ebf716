/**
 * Names for instances in OpenSSH's own configuration, so that `ssh rentty-train-a`, scp, rsync and
 * editors find them. The names are in a file of ours, with a section for each service; only one
 * line of the user's file is ours.
 */
import {shownLabel} from '../words/lease.ts';
import {codeOf} from '../../contract/rules/thrown.ts';
import {mkdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	sshRoutes,
	sshWord,
	type KnownHosts,
	type SshRoute,
} from '../../contract/nouns/ssh-command.ts';
import {replaceFile} from '../../client/files/files.ts';
import {withLock} from '../../client/files/file-lock.ts';

export type SshConfig = {
	/** The line that the user's file gets. */
	readonly line: string;
	readonly userFile: string;
	/** The user's file includes the line. */
	readonly isIncluded: () => Promise<boolean>;
	/** Puts the line at the top of the user's file; the rest of the file stays. */
	readonly include: () => Promise<void>;
	/** Reads the names that other services' instances have. */
	readonly readOthers: () => Promise<NamedAddresses>;
	/** Replaces the service's section; other services' consoles write theirs. */
	readonly write: (makeEntries: (others: NamedAddresses) => readonly string[]) => Promise<void>;
};

/** Addresses that names in our file lead to. */
export type NamedAddresses = ReadonlyMap<string, string>;

export type SshConfigPaths = {
	/** The user's home, in which OpenSSH looks for `.ssh/config`. */
	readonly home: string;
	/** Folder of rentty's file. */
	readonly folder: string;
};

const FIRST_LINE = '# rentty writes this file anew whenever instances change.';
const SECTION = '# Instances of ';

export function openSshConfig({home, folder}: SshConfigPaths, service: string): SshConfig {
	const ownFile = join(folder, 'ssh_config');
	const userFile = join(home, '.ssh', 'config');
	const line = `Include ${sshWord(ownFile)}`;
	const owner = plainService(service);

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
		readOthers: async () => addressesIn(otherSections(await readText(ownFile), owner)),
		async write(makeEntries) {
			/** Text that the file should have; undefined if it has it. */
			const changed = async () => {
				const before = await readText(ownFile);
				const sections = otherSections(before, owner);
				const entries = makeEntries(addressesIn(sections));
				if (entries.length > 0) sections.set(owner, entries.join('\n\n'));
				const text = fileText(sections);
				return text === before ? undefined : text;
			};
			// A fleet changes every few seconds, and its names rarely: then no lock is needed.
			if ((await changed()) === undefined) return;
			await mkdir(folder, {recursive: true, mode: 0o700});
			await withLock(ownFile, async () => {
				const text = await changed();
				if (text !== undefined) await replace(ownFile, text);
			});
		},
	};
}

/** Sections of our file, by service, without that of one service. */
function otherSections(text: string, owner: string): Map<string, string> {
	const [, ...parts] = `\n${text}`.split(`\n${SECTION}`);
	const sections = parts.map(part => {
		const end = part.indexOf('\n');
		return [part.slice(0, end), part.slice(end).trim()] as const;
	});
	return new Map(sections.filter(([name]) => name !== owner));
}

/** Sections have one order in whichever console writes them. */
function fileText(sections: ReadonlyMap<string, string>): string {
	const sorted = [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1));
	const parts = sorted.map(([name, entries]) => `${SECTION}${name}\n\n${entries}`);
	return [FIRST_LINE, ...parts, ''].join('\n\n');
}

/** Names in lower case, as OpenSSH compares them. */
function addressesIn(sections: ReadonlyMap<string, string>): NamedAddresses {
	const entry = /^Host (\S+)\n\s*HostName (\S+)\n\s*Port (\d+)$/gm;
	const found = [...sections.values()].flatMap(text => [...text.matchAll(entry)]);
	return new Map(found.map(([, name = '', host, port]) => [name.toLowerCase(), `${host} ${port}`]));
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
	return (id: number, kind: SshRoute['kind']): KnownHosts => ({
		file,
		alias: `rentty-${plainService(service)}-${id}-${kind}`,
	});
}

function plainService(service: string): string {
	return service.replaceAll(/[^\w.-]+/g, '-');
}

type Named = Pick<Instance, 'id' | 'label'> & Parameters<typeof sshRoutes>[0];

/**
 * SSH names of instances: `rentty-train-a`; with the id, or more, if two would have the same name.
 *
 * @param others a name of another service's instance is not used for a different machine
 */
export function sshNames(
	instances: readonly Named[],
	others: NamedAddresses = new Map(),
): ReadonlyMap<number, string> {
	const plain = new Map(
		instances.map(({id, label}) => [id, plainName(shownLabel(label)) || String(id)]),
	);
	const isElsewhere = (instance: Named, name: string) => {
		const address = others.get(name.toLowerCase());
		return address !== undefined && address !== addressOf(instance);
	};
	const lengths = new Map<number, number>();
	for (;;) {
		const names = new Map(
			[...plain].map(([id, name]) => [id, longerName(name, id, lengths.get(id) ?? 0)]),
		);
		const doubled = [
			...doublesIn(names),
			...instances.filter(one => isElsewhere(one, names.get(one.id) ?? '')).map(({id}) => id),
		];
		if (doubled.length === 0) return names;
		// A label may end with the id of another instance, so adding an id can create a new
		// duplicate.
		for (const id of new Set(doubled)) lengths.set(id, (lengths.get(id) ?? 0) + 1);
	}
}

/** A name, with the id from the first step on, and a count from the second. */
function longerName(name: string, id: number, step: number): string {
	return ['rentty', name, ...(step > 0 ? [id] : []), ...(step > 1 ? [step] : [])].join('-');
}

function addressOf(instance: Named): string | undefined {
	const [route] = sshRoutes(instance);
	return route && `${route.host} ${route.port}`;
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

/** Entries of OpenSSH's configuration, one for each instance that can be entered. */
export function sshEntries(
	instances: readonly Named[],
	names: ReadonlyMap<number, string>,
	{known, identities = []}: EntryOptions,
): readonly string[] {
	return instances.flatMap(instance => {
		const [route] = sshRoutes(instance);
		const name = names.get(instance.id);
		if (route === undefined || name === undefined) return [];
		const {file, alias} = known(instance.id, route.kind);
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
}

type EntryOptions = {
	readonly known: (id: number, kind: SshRoute['kind']) => KnownHosts;
	readonly identities?: readonly string[];
};
