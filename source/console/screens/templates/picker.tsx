import {useState} from 'react';
import type {Template} from '../../../contract/nouns/templates.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {pickerBindings} from './bindings.ts';
import {createTemplateList} from './list-state.ts';
import {noHashOf} from './template-actions.ts';
import {TemplateList} from './template-list.tsx';

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
