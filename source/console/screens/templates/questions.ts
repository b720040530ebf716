/** What is asked of the service about templates, and how long an answer is good for. */
import type {Client} from '../../../client/client.ts';
import type {TemplateSearch} from '../../../contract/template-search.ts';
import type {Template} from '../../../contract/templates.ts';

type ClientSource = () => Promise<Client>;
type Signal = {readonly signal: AbortSignal};

/** What every question about templates begins with: a change makes all of them old. */
export const templatesKey = ['templates'] as const;

export function templatesQuery(client: ClientSource, search: Partial<TemplateSearch>) {
	return {
		queryKey: [...templatesKey, search],
		queryFn: async ({signal}: Signal) => (await client()).templates.search(search, {signal}),
	};
}

/** The template that has a number at present; null where there is none. */
export async function readTemplate(
	client: ClientSource,
	id: number,
	signal?: AbortSignal,
): Promise<Template | null> {
	const filter = [{field: 'id', operator: 'eq', value: id}] as const;
	const options = signal === undefined ? {} : {signal};
	return (await (await client()).templates.search({filter}, options))[0] ?? null;
}

export function templateQuery(client: ClientSource, id: number) {
	return {
		queryKey: [...templatesKey, 'one', id],
		queryFn: async ({signal}: Signal) => readTemplate(client, id, signal),
	};
}

/** Whose key it is: that tells one's own templates from those of others. */
export function meQuery(client: ClientSource) {
	return {
		queryKey: ['account', 'id'],
		queryFn: async ({signal}: Signal) => (await (await client()).account.current({signal})).id,
		staleTime: Infinity,
	};
}
