import {isRecord} from '../../../contract/json.ts';
import type {FieldText} from '../../components/form-lines.ts';
import {valueOf, type FormField, type FormState} from '../../components/form-state.ts';
import {keyPlaces, type Found} from './profile-form.ts';

/** How the fields of a profile read, and what is to be known about them. */
export function describeProfileField(found: Found) {
	return ({id}: FormField, state: FormState): FieldText => {
		const value = valueOf(state, id);
		switch (id) {
			case 'place':
				return {value, note: placeNote(value, found)};
			case 'variable':
				return {value, note: 'read at each start, kept nowhere'};
			case 'file':
				return {value, note: fileNote(value, found)};
			case 'paste':
				return {value: pasted(value), note: 'hidden; kept for you alone'};
			case 'command':
				return {value, note: 'it prints the key; no shell'};
			case 'mode':
				return {value, note: value === 'read-only' ? 'look, never spend' : 'every change asks'};
			case 'colour':
				return {value, note: 'of the name above every screen'};
			case 'settings':
				return {value: settingNames(value), note: 'what differs here; Enter edits'};
			default:
				return {value, note: id === 'url' ? 'where the service is' : 'as every screen says it'};
		}
	};
}

function placeNote(value: string, {hasVariable, file}: Found): string {
	if (value === keyPlaces.variable) {
		return hasVariable ? 'RENTTY_API_KEY is set here' : 'RENTTY_API_KEY is not set here';
	}
	if (value === keyPlaces.file) return file === undefined ? '' : 'found 1, not read yet';
	return 'Space: another place';
}

function fileNote(value: string, {file}: Found): string {
	return value === file ? 'not read before you say so' : 'nothing but the key in it';
}

/** Only the last four characters of a key are ever drawn, and of a short one none. */
function pasted(value: string): string {
	if (value === '') return '';
	return value.length < 12 ? '***' : `*** ..${value.slice(-4)}`;
}

function settingNames(text: string): string {
	try {
		const settings: unknown = JSON.parse(text);
		const names = isRecord(settings) ? Object.keys(settings) : [];
		return names.length === 0 ? 'none' : names.join(', ');
	} catch {
		return text;
	}
}
