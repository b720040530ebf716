import {contract} from '../../contract/index.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {
	completeTemplate,
	type NewTemplate,
	type TemplateContent,
} from '../../contract/nouns/template-content.ts';
import {anyTemplates, type TemplateSearch} from '../../contract/nouns/template-search.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {search, create, edit, delete: remove} = contract.templates;

/** A template as the service names it after a change. */
type Named = {readonly hash_id: string; readonly id?: number | null | undefined};

export type FoundTemplates = {
	readonly templates: readonly Template[];
	readonly unreadable: Unreadable;
};

export function templateCalls(call: CallEndpoint) {
	return {
		/** The templates that fit a search: of the caller, and of everybody. */
		async search(
			wanted: Partial<TemplateSearch> = {},
			options?: CallOptions,
		): Promise<FoundTemplates> {
			const query = {...anyTemplates, ...wanted};
			const {templates, unreadable} = await call(search, {query}, options);
			return {templates, unreadable};
		},
		/** Creates a template, or returns the caller's equal one. */
		async create(template: NewTemplate, options?: CallOptions): Promise<Named> {
			return (await call(create, {body: completeTemplate(template)}, options)).template;
		},
		/** Changes the template that has a hash, and returns it with its new hash. */
		async edit(
			hash: string,
			changes: Partial<TemplateContent>,
			options?: CallOptions,
		): Promise<Named> {
			return (await call(edit, {body: {hash, changes}}, options)).template;
		},
		async delete(which: number | string, options?: CallOptions): Promise<void> {
			const body = typeof which === 'number' ? {id: which} : {hash: which};
			await call(remove, {body}, options);
		},
	};
}
