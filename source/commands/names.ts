/** Names of a service as they were last seen, for completions, which do not wait for it. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isRecord} from '../contract/grammar/json.ts';
import {shownLabel} from '../renter/words/lease-label.ts';
import {replaceFile} from '../client/files/files.ts';
import type {Candidate} from './candidates.ts';
import type {Context} from './command.ts';

type Place = Pick<Context, 'service' | 'folders'>;

type Nameable = {
	readonly id: number;
	readonly label?: string | null | undefined;
	readonly actual_status?: string | null | undefined;
};

/** Numbers and labels, each with what it is. */
export function instanceNames(instances: readonly Nameable[]): readonly Candidate[] {
	return instances.flatMap(({id, label: text, actual_status: state}) => {
		const label = shownLabel(text);
		const about = state ?? 'provisioning';
		const byId = {text: String(id), about: [label, about].join(' ').trim()};
		return label !== '' ? [{text: label, about: `${id} ${about}`}, byId] : [byId];
	});
}

export type Live = 'instances' | 'templates';

type Names = Readonly<Record<Live, readonly Candidate[]>>;

const noNames: Names = {instances: [], templates: []};

/** The names of the last time. */
export async function readNames(context: Place): Promise<Names> {
	try {
		const json: unknown = JSON.parse(await readFile(fileOf(context), 'utf8'));
		if (!isRecord(json)) return noNames;
		return {
			instances: readCandidates(json['instances']),
			templates: readCandidates(json['templates']),
		};
	} catch {
		// There are none so far.
		return noNames;
	}
}

function readCandidates(value: unknown): readonly Candidate[] {
	if (!Array.isArray(value)) return [];
	return value.flatMap((one: unknown) => {
		if (!isRecord(one) || typeof one['text'] !== 'string') return [];
		return [{text: one['text'], about: typeof one['about'] === 'string' ? one['about'] : ''}];
	});
}

/** Keeps names for completions, and those of the other kind as they are. */
export async function keepNames(context: Place, names: Partial<Names>): Promise<void> {
	try {
		const text = JSON.stringify({...(await readNames(context)), ...names});
		await replaceFile(fileOf(context), text);
	} catch {
		// They are a help and no more.
	}
}

function fileOf({service, folders}: Place): string {
	return join(folders.cache, `names-${service().name.replaceAll(/[^\w.-]+/g, '-')}.json`);
}
