/** Saving a template without overwriting what somebody else made of it meanwhile. */
import {statusOf} from '../../../contract/thrown.ts';
import {isKeyRefused} from '../../../client/key-refusal.ts';
import type {Client} from '../../../client/client.ts';
import type {NewTemplate, TemplateContent} from '../../../contract/template-content.ts';
import type {Template} from '../../../contract/templates.ts';
import {readTemplate, theTemplate} from '../../queries/templates.ts';

export type Saving =
	| {readonly kind: 'saved'; readonly hash: string; readonly id: number | undefined}
	/** It says something else than when it was opened. */
	| {readonly kind: 'changed'; readonly present: Template}
	| {readonly kind: 'gone'}
	| {readonly kind: 'refused'; readonly message: string; readonly serverSays: string | undefined};

type ClientSource = () => Promise<Client>;

export async function createTemplate(client: ClientSource, content: NewTemplate): Promise<Saving> {
	try {
		const {hash_id: hash, id} = await (await client()).templates.create(content);
		return {kind: 'saved', hash, id: id ?? undefined};
	} catch (error) {
		return refusal(error);
	}
}

/**
 * Sends the changes of a template if it still is what was opened. It is read again first, and named
 * by its hash: where it changes between the two, the service does not know the hash any more.
 */
export async function saveTemplate(
	client: ClientSource,
	opened: Template,
	changes: Partial<TemplateContent>,
): Promise<Saving> {
	try {
		const present = await find(client, opened);
		if (present === null) return {kind: 'gone'};
		if (present.hash_id !== opened.hash_id) return {kind: 'changed', present};
		return await send(client, opened, changes);
	} catch (error) {
		return refusal(error);
	}
}

async function send(
	client: ClientSource,
	opened: Template,
	changes: Partial<TemplateContent>,
): Promise<Saving> {
	try {
		const {hash_id: hash, id} = await (await client()).templates.edit(opened.hash_id, changes);
		return {kind: 'saved', hash, id: id ?? opened.id ?? undefined};
	} catch (error) {
		if (!isGone(error)) throw error;
		const present = await find(client, opened);
		return present === null ? {kind: 'gone'} : {kind: 'changed', present};
	}
}

/** True for a 404 about the template: some services answer a key that they refuse with 404 too. */
function isGone(error: unknown): boolean {
	return statusOf(error) === 404 && !isKeyRefused(error);
}

async function find(client: ClientSource, {id, hash_id: hash}: Template): Promise<Template | null> {
	if (typeof id === 'number') return readTemplate(client, id);
	const filter = [{field: 'hash_id', operator: 'eq', value: hash}] as const;
	return theTemplate(client, filter);
}

function refusal(error: unknown): Saving {
	if (!(error instanceof Error)) throw error;
	const says = 'serverSays' in error ? error.serverSays : undefined;
	const serverSays = typeof says === 'string' ? says : undefined;
	return {kind: 'refused', message: error.message, serverSays};
}
