import {useState} from 'react';
import {useQuery, useQueryClient} from '@tanstack/react-query';
import type {Template} from '../../../contract/nouns/templates.ts';
import {type ActionTarget, targetLabel} from '../../ui/confirmation.ts';
import type {Message} from '../../ui/message.ts';
import type {Router, ScreenProps} from '../../services/router.ts';
import {type Services, useServices} from '../../services/services.tsx';
import {idOf, shortHash, templateOriginOf} from '../../../renter/templates/templates.ts';
import {sentence} from '../../../renter/text/format.ts';
import {createStore} from '../../../renter/state/store.ts';
import {
	readTerms,
	termsProblem,
	usualTerms,
	writeTerms,
} from '../../../renter/leases/lease-terms.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {Prompt, ConfirmDialog} from '../dialogs.tsx';
import {WHEN_HINT} from '../../../renter/words/when-done.ts';
import {messageOf} from '../../../contract/rules/thrown.ts';
import {templateQuery, templatesKey} from '../../queries/templates.ts';

export type TemplateAsking = {readonly kind: 'delete' | 'ends'; readonly template: Template};

type Around = {
	readonly current: () => Template | undefined;
	/** Id of the user's account, once known. */
	readonly me: number | undefined;
	readonly router: Router;
	readonly services: Pick<Services, 'settings' | 'terminal'>;
	readonly say: (message: Message) => void;
	/** Opens the question about deleting the template, or about its lease. */
	readonly ask: (asking: TemplateAsking) => void;
};

export function templateTarget(around: Around) {
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
			const isTheirs =
				template !== undefined && me !== undefined && templateOriginOf(template, me) !== 'mine';
			return isTheirs ? 'it is not yours; N makes a copy that is' : noHash();
		},
	};
}

export type TemplateTarget = ReturnType<typeof templateTarget>;

/** Reason why a template cannot be named by its hash; undefined if it has one. */
export function noHashOf(template: Template | undefined, none: string): string | undefined {
	if (template === undefined) return none;
	return template.hash_id === '' ? 'the service names no hash of it' : undefined;
}

/** Makes the template the usual one, or removes it as such. */
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

/** The template as a question names it. Its hash is the state: another one means a change meanwhile. */
function asTarget(template: Template): ActionTarget {
	const {name, image, hash_id: hash} = template;
	return {
		id: idOf(template),
		name: name ?? '',
		detail: image ?? '',
		state: `version ${shortHash(hash)}`,
		level: 2,
	};
}

type DeleteTemplateProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly template: Template;
	readonly onDone: (isGone: boolean) => void;
};

const facts = [
	['What happens', 'The template is gone for good: nothing can be rented with it any more.'],
	['Instances', 'Those that were made of it keep running, and keep what they were made with.'],
	['Money', 'Nothing changes: templates cost nothing.'],
] as const;

function DeleteTemplate({template, size, say, onDone}: DeleteTemplateProps) {
	const {client, settings} = useServices();
	const live = useQueryClient();
	// Read again while the question is open: the template may change meanwhile.
	const {data, isFetchedAfterMount: isFresh} = useQuery({
		...templateQuery(client, idOf(template)),
		staleTime: 0,
	});
	const isKnown = isFresh && data !== undefined;
	const [sent] = useState(() => createStore(false));

	async function remove(): Promise<void> {
		// The question stays until the answer: a second yes would be told that there is no such template.
		if (sent.get()) return;
		sent.set(true);
		const name = targetLabel(asTarget(template));
		try {
			await (await client()).templates.delete(template.id ?? template.hash_id);
			const {[template.hash_id]: ends, ...others} = settings.get().templateLeases;
			if (ends !== undefined) settings.change({templateLeases: others});
			say({text: `Template ${name} is deleted.`, isError: false});
			onDone(true);
		} catch (error) {
			const why = messageOf(error);
			say({text: `${sentence(why)} Template ${name} is still there.`, isError: true});
			onDone(false);
		}
		await live.invalidateQueries({queryKey: templatesKey});
	}
	return (
		<ConfirmDialog
			question={{verb: 'delete', noun: 'template', targets: [asTarget(template)]}}
			{...(isKnown && {present: data === null ? [] : [asTarget(data)]})}
			facts={facts}
			size={size}
			say={say}
			onConfirm={() => void remove()}
			onCancel={() => onDone(false)}
		/>
	);
}

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly asking: TemplateAsking;
	readonly onDone: (isGone: boolean) => void;
};

export function AskTemplate({asking: {kind, template}, onDone, ...around}: Props) {
	if (kind === 'delete') return <DeleteTemplate {...around} {...{template, onDone}} />;
	return <TemplateEnds {...around} template={template} onClose={() => onDone(false)} />;
}

type EndsProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly template: Template;
	readonly onClose: () => void;
};

/**
 * Asks for the usual lease of rentals with a template, kept in the settings: services have no field for
 * it.
 */
function TemplateEnds({template, size, say, onClose}: EndsProps) {
	const {settings} = useServices();
	const {hash_id: hash, name} = template;
	const called = printable(name ?? shortHash(hash));

	function keep(text: string): void {
		const {[hash]: _, ...others} = settings.get().templateLeases;
		const isEmpty = text.trim() === '';
		const ends = isEmpty ? usualTerms(settings.get(), undefined) : writeTerms(readTerms(text));
		settings.change({templateLeases: isEmpty ? others : {...others, [hash]: ends}});
		const said = isEmpty ? `as the settings say: ${ends}` : ends;
		say({text: `What is rented with ${called} ends by itself ${said}.`, isError: false});
	}

	return (
		<Prompt
			title={`When what is rented with ${called} ends by itself`}
			name="ends"
			initial={settings.get().templateLeases[hash] ?? ''}
			lines={[
				'for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep  none',
				WHEN_HINT,
				'what runs first, last: before COMMAND, before 5m/10m COMMAND (limit/grace)',
				' ',
				'The form of a rent proposes it. It is kept in your settings, on this machine.',
				'Empty: as the setting lease says.',
			]}
			size={size}
			refuse={text => {
				const problem = termsProblem(text);
				return problem && sentence(problem);
			}}
			onSend={keep}
			onClose={onClose}
		/>
	);
}
