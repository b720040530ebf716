/** What the form of a template shows of a field: its value, and its rule or what it replaced. */
import {parseEnv} from '../../../contract/env.ts';
import {lengthOf} from '../../../contract/text-length.ts';
import {checkbox} from '../../components/form-lines.ts';
import type {Describe} from '../../components/form-lines.ts';
import {isChanged, valueOf} from '../../components/form-state.ts';
import type {FormField} from '../../components/form-state.ts';
import {LONGEST_ONSTART, envNames} from './facts.ts';
import {templateFields} from './template-fields.ts';

export const describeField: Describe = (field, state) => {
	const text = valueOf(state, field.id);
	const value = field.kind === 'flag' ? checkbox(state, field.id) : shown(field, text);
	const before = valueOf({values: state.initial}, field.id);
	const isNew = !isChanged(state, field.id);
	return {
		value,
		note: isNew ? ruleOf(field) : `was ${before === '' ? 'empty' : shown(field, before)}`,
	};
};

function ruleOf({id}: FormField): string {
	return templateFields.find(field => field.id === id)?.rule ?? '';
}

function shown({id, kind}: FormField, text: string): string {
	if (id === 'env') {
		const entries = parseEnv(text);
		return entries.length === 0 ? 'none' : `${entries.length}: ${envNames(entries)}`;
	}
	if (id === 'onstart') return text === '' ? 'none' : `${lengthOf(text)} of ${LONGEST_ONSTART}`;
	if (kind === 'long') return text === '' ? 'none' : `${lengthOf(text)} characters`;
	if (kind === 'secret') return text === '' ? '' : '*'.repeat(8);
	if (kind === 'flag') return text;
	return text;
}
