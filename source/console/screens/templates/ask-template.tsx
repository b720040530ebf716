import type {Template} from '../../../contract/templates.ts';
import {sentence} from '../../../renter/format.ts';
import {
	readTerms,
	termsProblem,
	usualTerms,
	writeTerms,
} from '../../../renter/leases/lease-terms.ts';
import {shortHash} from '../../../renter/templates/templates.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {Prompt} from '../prompt.tsx';
import {DeleteTemplate} from './delete-template.tsx';
import type {TemplateAsking} from './template-actions.ts';

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
