import type {Template} from '../../../contract/nouns/templates.ts';
import {sentence} from '../../../renter/text/format.ts';
import {
	readTerms,
	termsProblem,
	usualTerms,
	writeTerms,
} from '../../../renter/leases/lease-terms.ts';
import {shortHash, idOf} from '../../../renter/templates/templates.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useServices} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {Prompt} from '../prompt.tsx';
import {type TemplateAsking, asTarget, deleteQuestion} from './template-actions.ts';
import {messageOf} from '../../../contract/rules/thrown.ts';
import {useQuery, useQueryClient} from '@tanstack/react-query';
import {targetLabel, type ActionTarget} from '../../ui/confirmation.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {templateQuery, templatesKey} from '../../queries/templates.ts';

type DeleteTemplateProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly template: Template;
	/** The question is over, and whether the template is gone. */
	readonly onDone: (isGone: boolean) => void;
};

const facts = [
	['What happens', 'The template is gone for good: nothing can be rented with it any more.'],
	['Instances', 'Those that were made of it keep running, and keep what they were made with.'],
	['Money', 'Nothing changes: templates cost nothing.'],
] as const;

function presentOf(template: Template | null): readonly ActionTarget[] {
	return template === null ? [] : [asTarget(template)];
}

/** Asks whether a template shall be deleted, and deletes it. */
function DeleteTemplate({template, size, say, onDone}: DeleteTemplateProps) {
	const {client, settings} = useServices();
	const live = useQueryClient();
	// Asked again while the question is open: it may be changed elsewhere meanwhile.
	const {data, isFetchedAfterMount: isFresh} = useQuery({
		...templateQuery(client, idOf(template)),
		staleTime: 0,
	});
	const present = isFresh && data !== undefined ? presentOf(data) : undefined;

	async function remove(): Promise<void> {
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
			question={deleteQuestion(template)}
			{...(present !== undefined && {present})}
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
	/** The question is over, and whether the template is gone. */
	readonly onDone: (isGone: boolean) => void;
};

/** Asks about a template, over its screen. */
export function AskTemplate({asking: {kind, template}, onDone, ...around}: Props) {
	if (kind === 'delete') return <DeleteTemplate {...around} {...{template, onDone}} />;
	return <TemplateEnds {...around} template={template} onClose={() => onDone(false)} />;
}

type EndsProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly template: Template;
	readonly onClose: () => void;
};

/** Asks when rentals with a template end by themselves. It is kept in the settings: services have no field for it. */
function TemplateEnds({template, size, say, onClose}: EndsProps) {
	const {settings} = useServices();
	const {hash_id: hash, name} = template;
	const called = printable(name ?? shortHash(hash));

	function keep(text: string): void {
		const {[hash]: _, ...others} = settings.get().templateLeases;
		const isEmpty = text.trim() === '';
		const ends = isEmpty ? usualTerms(settings.get(), undefined) : writeTerms(readTerms(text));
		settings.change({templateLeases: isEmpty ? others : {...others, [hash]: ends}});
		const whose = isEmpty ? `as the settings say: ${ends}` : ends;
		say({text: `What is rented with ${called} ends by itself ${whose}.`, isError: false});
	}

	return (
		<Prompt
			title={`When what is rented with ${called} ends by itself`}
			name="ends"
			initial={settings.get().templateLeases[hash] ?? ''}
			lines={[
				'for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep; or none',
				'last, what runs first: before COMMAND, or before 5m/10m COMMAND (limit/grace)',
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
