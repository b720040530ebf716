import type {Template} from '../../../contract/nouns/templates.ts';
import type {ActionTarget, Question} from '../../ui/confirmation.ts';
import type {Message} from '../../ui/message.ts';
import type {Router} from '../../services/router.ts';
import type {Services} from '../../services/services.tsx';
import type {TemplateTarget} from './bindings.ts';
import {idOf, shortHash, whose} from '../../../renter/templates/templates.ts';

/** A dialog about a template, over the screen. */
export type TemplateAsking = {readonly kind: 'delete' | 'ends'; readonly template: Template};

type Around = {
	/** The template that the keys act on. */
	readonly current: () => Template | undefined;
	/** Id of the user's account, once known. */
	readonly me: number | undefined;
	readonly router: Router;
	readonly services: Pick<Services, 'settings' | 'terminal'>;
	readonly say: (message: Message) => void;
	/** Asks whether the template shall be deleted, or when its rentals end. */
	readonly ask: (asking: TemplateAsking) => void;
};

/** Actions on a template, in the list and on its own screen. */
export function templateTarget(around: Around): TemplateTarget {
	const {current, me, router, services, say, ask} = around;
	const act = (action: (template: Template) => void) => () => {
		const template = current();
		if (template !== undefined) action(template);
	};
	const edit = (from: number | undefined, isCopy: boolean) =>
		router.go({name: 'template-edit', from, isCopy});
	const missing = () => (current() === undefined ? 'there is no template to act on' : undefined);
	const noHash = () => noHashOf(current(), 'there is no template to act on');
	return {
		rent: act(({hash_id: templateHash}) => router.go({name: 'rent', templateHash})),
		rentUnavailable: () => noHashOf(current(), 'there is no template to rent with'),
		create: () => edit(undefined, false),
		copyOf: act(template => edit(idOf(template), true)),
		edit: act(template => edit(idOf(template), false)),
		remove: act(template => ask({kind: 'delete', template})),
		editEnds: act(template => ask({kind: 'ends', template})),
		copyHash: act(template => services.terminal.copy(template.hash_id)),
		makeUsual: act(template => say(makeUsual(services.settings, template))),
		missing,
		noHash,
		notMine() {
			const template = current();
			const isTheirs = template !== undefined && me !== undefined && whose(template, me) !== 'mine';
			return isTheirs ? 'it is not yours; N makes a copy that is' : noHash();
		},
	};
}

/** Why nothing goes by the template's hash; undefined where it has one. */
export function noHashOf(template: Template | undefined, none: string): string | undefined {
	if (template === undefined) return none;
	return template.hash_id === '' ? 'the service names no hash of it' : undefined;
}

/** Rents with it from now on unless another one is chosen; or, if it was so already, with none. */
function makeUsual(
	settings: Services['settings'],
	{hash_id: hash, name, image}: Template,
): Message {
	const wasUsual = settings.get().templateHash === hash;
	settings.change({templateHash: wasUsual ? null : hash});
	const called = name ?? image ?? shortHash(hash);
	return {
		text: wasUsual
			? `${called} is no longer your usual template: offers are rented without one.`
			: `${called} is your usual template: offers are rented with it unless another one is chosen.`,
		isError: false,
	};
}

/** The template as a question names it. Another hash is another state: it was changed meanwhile. */
export function asTarget(template: Template): ActionTarget {
	const {name, image, hash_id: hash} = template;
	return {
		id: idOf(template),
		name: name ?? '',
		detail: image ?? '',
		state: `version ${shortHash(hash)}`,
		level: 2,
	};
}

export function deleteQuestion(template: Template): Question {
	return {verb: 'delete', noun: 'template', targets: [asTarget(template)]};
}
