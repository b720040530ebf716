import {messageOf} from '../../../contract/thrown.ts';
import {useQuery, useQueryClient} from '@tanstack/react-query';
import type {Template} from '../../../contract/templates.ts';
import {targetLabel, type ActionTarget} from '../../components/confirmation.ts';
import {ConfirmDialog} from '../dialogs.tsx';
import {sentence} from '../../../renter/format.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {templateQuery, templatesKey} from '../../queries/templates.ts';
import {asTarget, deleteQuestion} from './template-actions.ts';
import {idOf} from '../../../renter/templates/templates.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {
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
export function DeleteTemplate({template, size, say, onDone}: Props) {
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
