/** Texts of the rent form's fields: the value, and its source or the value that it replaced. */
import {areEndlessTerms} from '../../../renter/orders/leased-order.ts';
import {
	lengthOfArguments,
	LONGEST_COMMANDS,
	LONGEST_ONSTART,
} from '../../../contract/nouns/creation-request.ts';
import type {Origin, Sourced} from '../../../contract/nouns/merge.ts';
import {usualWord} from '../../../contract/rules/runtype.ts';
import type {Describe, FieldText} from '../../ui/form.tsx';
import {countCharacters} from '../../../contract/grammar/harmless-text.ts';
import {isFieldChanged, type FormState} from '../../ui/form-state.ts';
import {LEAST_PRICE_DIFFERENCE, plainNumber, pricePerHour} from '../../../renter/text/format.ts';
import {shortHash} from '../../../renter/templates/templates.ts';
import {checkAccess} from '../../../renter/orders/access.ts';
import {levelTexts} from '../../../renter/orders/check.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {stuckText} from '../../../renter/actions/stuck-boots.ts';
import {ceilingOf} from '../../../renter/orders/next-offers.ts';
import {mergedEnv, previewOf, priceOnTerms, type Preview} from '../../../renter/orders/preview.ts';
import {shownScript} from '../../../renter/orders/request-text.ts';
import {baseValues} from '../../../renter/orders/rent-values.ts';

type FormFacts = {readonly facts: RentFacts; readonly preview: Preview; readonly state: FormState};

export function describeRent(facts: RentFacts, preview: Preview): Describe {
	return (field, state) => {
		const form = {facts, preview, state};
		return (described[field.id] ?? plain(field.id))(form);
	};
}

type Shown = (form: FormFacts) => FieldText;

const proposedNotes = {
	'last used': 'proposed: the last you used',
	recommended: 'proposed: recommended here',
} as const;

/** Ways into an instance, by the word that asks for them. */
const launchTexts: Readonly<Record<string, string>> = {
	args: 'its own command',
	ssh: 'SSH',
	ssh_proxy: 'SSH, by the service',
	ssh_direct: 'SSH, direct',
	jupyter: 'Jupyter and SSH',
	jupyter_proxy: 'Jupyter, by the service',
	jupyter_direct: 'Jupyter and SSH, direct',
};

const described: Readonly<Record<string, Shown>> = {
	template({facts: {template, proposed}, state}) {
		if (template === undefined) {
			const hash = state.values['template'] ?? '';
			return hash === ''
				? {value: 'none', note: 'Ctrl-T picks one'}
				: {value: `hash ${shortHash(hash)}`, note: 'GONE: Ctrl-T picks another'};
		}
		const name = `${template.name ?? ''}  hash ${shortHash(template.hash_id)}`.trim();
		if (isFieldChanged(state, 'template')) return {value: name, note: 'picked (Ctrl-T)'};
		return {value: name, note: proposed === undefined ? 'Ctrl-T picks' : proposedNotes[proposed]};
	},
	image: form => merged(form, 'image', form.preview.creation.image, text => text ?? 'none'),
	label: form => merged(form, 'label', form.preview.creation.label, orNone),
	disk(form) {
		const {facts, preview} = form;
		const base = Number(baseValues(preview.content)['disk']);
		const terms = {bid: preview.bid, isBid: form.state.values['type'] === 'interruptible'};
		const before = priceOnTerms(facts, {...terms, diskGb: base}).disk;
		const more = (preview.cost.disk ?? 0) - (before ?? preview.cost.disk ?? 0);
		const change =
			Math.abs(more) < LEAST_PRICE_DIFFERENCE
				? ''
				: `${more < 0 ? '-' : '+'}${pricePerHour(Math.abs(more))} `;
		const {value, note} = merged(form, 'disk', preview.creation.disk, () => String(preview.diskGb));
		return {value, note: change + note};
	},
	launch: form =>
		merged(
			form,
			'launch',
			form.preview.creation.launch,
			launch => launchTexts[form.preview.order?.runtype ?? usualWord(launch)] ?? usualWord(launch),
		),
	type: ({facts, state}) => ({
		value: state.values['type'] ?? '',
		note:
			state.values['type'] === 'interruptible'
				? 'others can outbid it'
				: isFieldChanged(state, 'type')
					? 'YOU'
					: facts.like === undefined
						? 'at the fixed price'
						: likeWord(facts),
	}),
	price: ({facts: {offer}, state}) => ({
		value: state.values['price'] ?? '',
		note: `${isFieldChanged(state, 'price') ? 'YOU' : 'the lowest'}; ${offer.min_bid == null ? '?' : plainNumber(offer.min_bid)} wins at present`,
	}),
	target: ({state}) => ({
		value: state.values['target'] ?? '',
		note:
			state.values['target'] === 'stopped'
				? 'only its disk is charged until it is started'
				: 'default',
	}),
	env({preview}) {
		const entries = mergedEnv(preview);
		const kept = entries.filter(({fate}) => fate === 'kept').length;
		const added = entries.filter(({fate}) => fate === 'added').length;
		const changed = entries.length - kept - added;
		if (entries.length === 0) return {value: 'none', note: 'Enter opens names and ports'};
		if (kept === entries.length) {
			return {value: `${kept} from the template`, note: 'Ctrl-O lists them'};
		}
		const parts = [
			...(kept > 0 ? [`${kept} same`] : []),
			...(added > 0 ? [`${added} added`] : []),
			...(changed > 0 ? [`${changed} CHANGED`] : []),
		];
		return {value: parts.join(', '), note: 'Ctrl-O lists them'};
	},
	onstart: given =>
		merged(given, 'onstart', given.preview.creation.onstart, text =>
			text === '' ? 'none' : `${countCharacters(text)} of ${LONGEST_ONSTART} characters`,
		),
	volume: ({preview: {content}, state}) => ({
		value: state.values['volume'] ?? 'none',
		note:
			state.values['volume'] !== 'none'
				? 'YOU'
				: content?.volume_info == null
					? 'default'
					: 'template volume is ignored (rule)',
	}),
	volume_id: ({state}) => ({
		value: state.values['volume_id'] ?? '',
		note: state.values['volume'] === 'create' ? 'the offer of a volume' : 'one of your volumes',
	}),
	ends: ({facts: {template, templateLeases}, state}) => ({
		value: orNone(state.values['ends'] ?? ''),
		note: areEndlessTerms(state.values['ends'] ?? '')
			? 'NO END: for 6h  idle 30m  until $20  then stop'
			: isFieldChanged(state, 'ends')
				? 'YOU'
				: templateLeases[template?.hash_id ?? ''] === undefined
					? 'your settings'
					: 'yours for this template',
		isWarning: areEndlessTerms(state.values['ends'] ?? ''),
	}),
	stuck: ({facts: {bootMinutes}, state}) => ({
		value: stuckText(state.values['stuck'] ?? '', bootMinutes),
		note: isFieldChanged(state, 'stuck') ? 'YOU' : 'you decide',
	}),
	access({facts, preview}) {
		const access = checkAccess({facts, preview});
		const help = access?.level === 'ok' ? '' : ': Enter registers one';
		return access === undefined
			? {value: 'looking', note: ''}
			: {
					value: access.key,
					note: levelTexts[access.level] + help,
					isWarning: access.level !== 'ok',
				};
	},
	args(form) {
		const {onstart, arguments: said} = form.preview.creation;
		const {value, note} = merged(form, 'args', said, is =>
			orNone(shownScript('text' in is ? is.text : JSON.stringify(is.list))),
		);
		const both = countCharacters(onstart.value) + lengthOfArguments(said.value);
		return {value, note: `${note}; ${both}/${LONGEST_COMMANDS} with onstart`};
	},
	use_jupyter_lab: form => flag(form, 'use_jupyter_lab'),
	python_utf8: form => flag(form, 'python_utf8'),
	lang_utf8: form => flag(form, 'lang_utf8'),
	force: form => flag(form, 'force'),
	jupyter_dir: form => merged(form, 'jupyter_dir', form.preview.creation.jupyter_dir, orNone),
	user: form => merged(form, 'user', form.preview.creation.user, orNone),
	image_login: form =>
		merged(form, 'image_login', form.preview.creation.image_login, text =>
			text === '' ? 'none' : '********',
		),
	vm: ({state}) => ({
		value: state.values['vm'] === 'yes' ? '[x]' : '[ ]',
		note: 'a virtual machine, entered by SSH key alone',
	}),
	cancel({preview, state}) {
		const value = preview.cancelUnavailable ? 'yes' : 'no';
		const what = preview.cancelUnavailable ? 'nothing is made' : 'it waits';
		const who = isFieldChanged(state, 'cancel') ? 'YOU' : 'default';
		return {value, note: `${who}: ${what} where it cannot start`};
	},
	tries: ({state}) => ({
		value: state.values['tries'] ?? '',
		note: `${isFieldChanged(state, 'tries') ? 'YOU' : 'settings'}; others of the same GPUs`,
	}),
	ceiling: ({state, facts, preview: {values}}) => {
		const value = state.values['ceiling'] ?? '';
		const most = ceilingOf(previewOf({...facts, ...facts.first}, values).cost.allIn, values);
		const limit = most === undefined ? '' : `; all-in <= ${pricePerHour(most)}`;
		return {value, note: `${isFieldChanged(state, 'ceiling') ? 'YOU' : 'settings'}${limit}`};
	},
	extra_filters: ({preview: {creation}, state}) => {
		const kept = Object.keys(creation.extra_filters).length;
		const value = state.values['extra_filters'] ?? '';
		return {value, note: kept === 0 ? 'like gpu_ram>=16000' : `${kept} with the template's`};
	},
};

function orNone(text: string): string {
	return text === '' ? 'none' : text;
}

function plain(id: string): Shown {
	return ({state}) => ({
		value: state.values[id] ?? '',
		note: isFieldChanged(state, id) ? 'YOU' : '',
	});
}

function flag(
	form: FormFacts,
	id: 'use_jupyter_lab' | 'python_utf8' | 'lang_utf8' | 'force',
): FieldText {
	return merged(form, id, form.preview.creation[id], is => (is ? '[x]' : '[ ]'));
}

/** A value after the merge, with its source. */
function merged<Value>(
	{facts, preview, state}: FormFacts,
	id: string,
	{value, origin}: Sourced<Value>,
	write: (value: Value) => string,
): FieldText {
	if (origin !== 'request') return {value: write(value), note: originWords[origin]};
	const said = baseValues(preview.content)[id] ?? '';
	const theirs = id === 'onstart' ? `${countCharacters(said)} characters` : said;
	const replaced = preview.content === undefined || said === '' ? '' : ` (template ${theirs})`;
	const who = isFieldChanged(state, id)
		? 'YOU'
		: facts.like === undefined
			? 'settings'
			: likeWord(facts);
	return {value: write(value), note: who + replaced};
}

const originWords: Readonly<Record<Exclude<Origin, 'request'>, string>> = {
	template: 'template',
	default: 'default',
};

function likeWord({like}: RentFacts): string {
	return like === undefined ? '' : `like ${like.id}`;
}
