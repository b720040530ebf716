/** The fields of the rent form: every one that the service takes when an instance is made. */
import type {FormField, FormSpec, FormState, Values} from '../../ui/form-state.ts';
import {type OrderField, fieldProblem} from '../../../renter/orders/rent-order.ts';
import {launchWords} from '../../../contract/rules/runtype.ts';
import {stuckChoices} from '../../../renter/actions/stuck-boots.ts';

const LAUNCH = 'more about the launch';
const GONE = 'if offer gone';

export const rentFields = [
	{id: 'template', label: 'template', kind: 'opens'},
	{id: 'image', label: 'image', kind: 'text'},
	{id: 'label', label: 'label', kind: 'text'},
	{id: 'disk', label: 'disk GB', kind: 'text'},
	{id: 'launch', label: 'runtype', kind: 'choice', choices: launchWords},
	{id: 'type', label: 'type', kind: 'choice', choices: ['on-demand', 'interruptible']},
	{id: 'price', label: 'bid $/h', kind: 'text'},
	{id: 'target', label: 'start', kind: 'choice', choices: ['running', 'stopped']},
	{id: 'env', label: 'env', kind: 'opens'},
	{id: 'onstart', label: 'onstart', kind: 'long'},
	{id: 'volume', label: 'volume', kind: 'choice', choices: ['none', 'link', 'create']},
	{id: 'volume_id', label: 'volume id', kind: 'text'},
	{id: 'volume_size', label: 'volume GB', kind: 'text'},
	{id: 'volume_path', label: 'mounted at', kind: 'text'},
	{id: 'volume_name', label: 'volume name', kind: 'text'},
	{id: 'stuck', label: 'if stuck', kind: 'choice', choices: stuckChoices},
	{id: 'access', label: 'SSH key', kind: 'opens'},
	{id: 'ends', label: 'ends', kind: 'text'},
	{id: 'args', label: 'arguments', kind: 'text', section: LAUNCH},
	{id: 'vm', label: 'vm', kind: 'flag', section: LAUNCH},
	{id: 'use_jupyter_lab', label: 'JupyterLab', kind: 'flag', section: LAUNCH},
	{id: 'jupyter_dir', label: 'jupyter dir', kind: 'text', section: LAUNCH},
	{id: 'user', label: 'user', kind: 'text', section: LAUNCH},
	{id: 'image_login', label: 'registry', kind: 'secret', section: LAUNCH},
	{id: 'python_utf8', label: 'python utf8', kind: 'flag', section: LAUNCH},
	{id: 'lang_utf8', label: 'lang utf8', kind: 'flag', section: LAUNCH},
	{id: 'force', label: 'force', kind: 'flag', section: LAUNCH},
	{id: 'extra_filters', label: 'filters', kind: 'text', section: LAUNCH},
	{id: 'cancel', label: 'cancel', kind: 'choice', choices: ['usual', 'yes', 'no'], section: GONE},
	{id: 'tries', label: 'try next', kind: 'text', section: GONE},
	{id: 'ceiling', label: 'at most +%', kind: 'text', section: GONE},
] as const satisfies ReadonlyArray<Omit<FormField, 'problem'> & {readonly id: OrderField}>;

const fields: readonly FormField[] = rentFields.map(field => ({
	...field,
	problem: text => fieldProblem(field.id, text),
}));

const buttons: FormSpec['buttons'] = [
	{id: 'review', title: 'Review and rent'},
	{id: 'save', title: 'Save as template'},
	{id: 'cancel', title: 'Cancel'},
];

/** The button with which the form begins: what is complete needs no more than Enter. */
export const REVIEW_ROW = 'button review';

/** The fields that matter for what the form says: a bid only where one is made. */
export function rentSpec(values: Values): FormSpec {
	const {type, volume = 'none'} = values;
	const hidden = new Set<string>([
		...(type === 'interruptible' ? [] : ['price']),
		...(volume === 'none' ? ['volume_id', 'volume_path'] : []),
		...(volume === 'create' ? [] : ['volume_size', 'volume_name']),
	]);
	const {tries, ceiling} = values;
	return {
		fields: fields.filter(({id}) => !hidden.has(id)),
		buttons,
		summaries: {[GONE]: `try next ${tries}, at most +${ceiling} %`},
	};
}

/** Fields of prices, lengths and checks: they follow every key. */
const shownLive: ReadonlySet<string> = new Set(['image', 'label', 'disk', 'price', 'args']);

/** Values of the form, with the text that is being typed. */
export function liveValues({values, editing, at}: FormState): Values {
	return editing !== undefined && shownLive.has(at) ? {...values, [at]: editing.text} : values;
}
