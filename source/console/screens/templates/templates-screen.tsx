import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {templateListBindings, type TemplateListTarget, pickerBindings} from './bindings.ts';
import {AskTemplate, templateTarget, type TemplateAsking, noHashOf} from './template-actions.tsx';
import {listAt, savedAt, createTemplateList} from './list-state.ts';
import {meQuery} from '../../queries/account.ts';
import {TemplateList} from './template-list.tsx';
import {idOf} from '../../../renter/templates/templates.ts';
import type {Template} from '../../../contract/nouns/templates.ts';

/** The user's own templates, and those of everybody. */
export function TemplatesScreen({place, router, size, say}: ScreenProps) {
	const services = useServices();
	const list = listAt(place);
	const {data: me} = useQuery(meQuery(services.client));
	const [asking, ask] = useState<TemplateAsking>();
	if (asking !== undefined) {
		return <AskTemplate {...{asking, size, say}} onDone={() => ask(undefined)} />;
	}
	const current = () => list.current();
	const target: TemplateListTarget = {
		...templateTarget({current, me, router, services, say, ask}),
		open() {
			const template = current();
			if (template !== undefined) router.go({name: 'template', id: idOf(template)});
		},
	};
	return (
		<KeyScope title="Templates" bindings={templateListBindings} target={target}>
			<TemplateList list={list} size={size} say={say} saved={savedAt(place)} />
		</KeyScope>
	);
}

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly onPick: (template: Template) => void;
	readonly onClose: () => void;
};

/** The list of templates in the place of a screen that needs one of them. */
export function TemplatePicker({size, say, onPick, onClose}: Props) {
	const [list] = useState(createTemplateList);
	const current = () => list.current();
	return (
		<KeyScope
			isModal
			title="Pick a template"
			bindings={pickerBindings}
			target={{
				pick() {
					const template = current();
					if (template !== undefined) onPick(template);
				},
				close: onClose,
				missing: () => noHashOf(current(), 'there is no template to take'),
			}}
		>
			<TemplateList list={list} size={size} say={say} />
		</KeyScope>
	);
}
