/** Queries about templates, and the time that they stay fresh. */
import type {QueryClient} from '@tanstack/react-query';
import type {Client} from '../../client/client.ts';
import type {FoundTemplates} from '../../client/nouns/templates.ts';
import type {TemplateSearch} from '../../contract/nouns/template-search.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {firstRecord} from '../../renter/text/unreadable.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

/** Prefix of all queries about templates: a change makes all of them stale. */
export const templatesKey = ['templates'] as const;

const listsKey = [...templatesKey, 'list'] as const;

export function templatesQuery(client: ClientSource, search: Partial<TemplateSearch>) {
	return {
		queryKey: [...listsKey, search],
		queryFn: async ({signal}: Signal) => (await client()).templates.search(search, {signal}),
	};
}

/** The templates of all lists that were answered. */
export function cachedTemplates(live: QueryClient): readonly Template[] {
	const answers = live.getQueriesData<FoundTemplates>({queryKey: listsKey});
	return answers.flatMap(([, found]) => found?.templates ?? []);
}

/** The template that has a number at present; null if there is none. */
export async function fetchTemplate(
	client: ClientSource,
	id: number,
	signal?: AbortSignal,
): Promise<Template | null> {
	const filter = [{field: 'id', operator: 'eq', value: id}] as const;
	return theTemplate(client, filter, signal);
}

/**
 * The template that a filter finds; null if there is none.
 *
 * @throws ReplyError if it cannot be read, as it may still exist
 */
export async function theTemplate(
	client: ClientSource,
	filter: TemplateSearch['filter'],
	signal?: AbortSignal,
): Promise<Template | null> {
	const {templates, unreadable} = await (await client()).templates.search({filter}, {signal});
	return firstRecord('find the template', templates, unreadable) ?? null;
}

export function templateQuery(client: ClientSource, id: number) {
	return {
		queryKey: [...templatesKey, 'one', id],
		queryFn: async ({signal}: Signal) => fetchTemplate(client, id, signal),
	};
}
