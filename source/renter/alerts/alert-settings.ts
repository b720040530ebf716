/** The user's `alerts.json`: routes of alerts, muted kinds, and quiet hours. */
import {UserFileError} from '../text/usage-error.ts';
import {fieldsOf, isRecord, listOf, parseJson} from '../../contract/grammar/json.ts';
import {
	alertKinds,
	noAlerts,
	type AlertRoutes,
	type AlertSettings,
	type WebhookTarget,
} from '../words/alert.ts';

/** Reads the text of the file; without one nothing is sent elsewhere. @throws UserFileError */
export function readAlertSettings(text: string | undefined): AlertSettings {
	if (text === undefined) return noAlerts;
	const json = parse(text);
	const {mute = [], quietHours, ...routes} = json;
	if (!Array.isArray(mute)) throw new UserFileError('mute: expected a list of kinds');
	const kinds = alertKinds.filter(kind => mute.includes(kind));
	if (kinds.length < mute.length) {
		throw new UserFileError(`mute: expected some of ${alertKinds.join(', ')}`);
	}
	return {routes: readRoutes(routes), mute: kinds, quietHours: readHours(quietHours)};
}

function parse(text: string): Readonly<Record<string, unknown>> {
	const json = parseJson(text);
	if (isRecord(json)) return json;
	throw new UserFileError('expected a JSON object, like {"ntfy": "https://ntfy.sh/topic"}');
}

type Reader<Value> = (value: unknown) => Value;

const readers: {readonly [Name in keyof AlertRoutes]-?: Reader<AlertRoutes[Name]>} = {
	program(value) {
		const isList = Array.isArray(value) && value.every(word => typeof word === 'string');
		if (isList && value[0] !== undefined && value[0] !== '') return value;
		throw new UserFileError('program: expected a list, a program and its arguments');
	},
	ntfy: value => readUrl('ntfy', value),
	webhook: readWebhook,
	desktop(value) {
		if (typeof value === 'boolean') return value;
		throw new UserFileError('desktop: expected true or false');
	},
	terminal(value) {
		if (value === 'osc9' || value === 'osc777') return value;
		throw new UserFileError('terminal: expected "osc9" or "osc777"');
	},
};

function readRoutes(json: Readonly<Record<string, unknown>>): AlertRoutes {
	const unknown = Object.keys(json).find(name => !Object.hasOwn(readers, name));
	if (unknown !== undefined) throw new UserFileError(`${unknown} is not a setting of alerts`);
	const {program, ntfy, webhook, desktop, terminal} = json;
	return {
		...(program !== undefined && {program: readers.program(program)}),
		...(ntfy !== undefined && {ntfy: readers.ntfy(ntfy)}),
		...(webhook !== undefined && {webhook: readers.webhook(webhook)}),
		...(desktop !== undefined && {desktop: readers.desktop(desktop)}),
		...(terminal !== undefined && {terminal: readers.terminal(terminal)}),
	};
}

function readWebhook(value: unknown): WebhookTarget {
	const {url, secretFile} = fieldsOf(value);
	if (typeof secretFile !== 'string' || !secretFile.startsWith('/')) {
		throw new UserFileError('webhook.secretFile: expected the whole path of a file');
	}
	return {url: readUrl('webhook.url', url), secretFile};
}

function readUrl(name: string, value: unknown): string {
	const url = typeof value === 'string' ? URL.parse(value) : null;
	const isPlain = url !== null && url.username === '' && url.password === '';
	if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url.href;
	throw new UserFileError(`${name}: expected an address with https:// and no password`);
}

function readHours(value: unknown): AlertSettings['quietHours'] {
	if (value === undefined || value === null) return undefined;
	const hours = listOf(value);
	const [from, until] = hours.length === 2 ? hours : [];
	if (isHour(from) && isHour(until)) return [from, until];
	throw new UserFileError('quietHours: expected two hours, like [22, 7]');
}

function isHour(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 23;
}
