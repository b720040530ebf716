/** The merge, the checks, the cost and the exact request as lines: beside the form, or instead of it. */
import {wrapText} from '../../../renter/text/wrap.ts';
import {money, pricePerHour, shortPrice, signedPrice} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {levelTexts, type OrderCheck} from '../../../renter/orders/check.ts';
import type {RentFacts} from '../../../renter/orders/rent-facts.ts';
import {
	mergedEnv,
	mergedFilters,
	type MergedEntry,
	type Preview,
} from '../../../renter/orders/preview.ts';
import {shownValue, asCommand, requestLine} from '../../../renter/orders/request-text.ts';

type PreviewLayout = {readonly theme: Theme; readonly width: number};

type Shown = {
	readonly facts: RentFacts;
	readonly preview: Preview;
	readonly checks: readonly OrderCheck[];
};

export function previewLines(shown: Shown, layout: PreviewLayout): readonly string[] {
	return [
		...mergeLines(shown, layout),
		' ',
		...costLines(shown, layout),
		' ',
		...checkLines(shown, layout),
		' ',
		...agreementLines(layout),
		' ',
		...requestLines(shown, layout),
	];
}

/** Preview beside the form if there is space: as much as fits. */
export function sideLines(shown: Shown, layout: PreviewLayout, height: number): readonly string[] {
	const lines = previewLines(shown, layout);
	if (lines.length <= height) return lines;
	return [...lines.slice(0, height - 1), fit(' ... i shows all of it', layout.width)];
}

function heading({theme, width}: PreviewLayout, title: string, note = ''): string {
	const line = fit(`${title}  ${note}`, width);
	return theme.style('heading', line.slice(0, title.length)) + line.slice(title.length);
}

function mergeLines({preview}: Shown, layout: PreviewLayout): readonly string[] {
	const env = mergedEnv(preview);
	const filters = mergedFilters(preview);
	const {volume_info: volume} = preview.content ?? {};
	const ignored =
		volume === null || volume === undefined
			? []
			: [fit('  volume_info     in template, NOT sent    rule', layout.width)];
	return [
		heading(layout, 'MERGE PREVIEW', 'template -> result -> what is sent'),
		fit(`  env (${env.length})${env.length === 0 ? '  none' : ''}`, layout.width),
		...env.map(entry => mergedLine(entry, layout, shownValue)),
		...(filters.length === 0 ? [] : [fit(`  extra_filters (${filters.length})`, layout.width)]),
		...filters.map(entry => mergedLine(entry, layout, (_, value) => value)),
		...ignored,
	];
}

const signs: Readonly<Record<MergedEntry['fate'], string>> = {
	kept: ' ',
	added: '+',
	'yours wins': '!',
};
const FATE = 12;

function mergedLine(
	{key, value, fate, replaced}: MergedEntry,
	{theme, width}: PreviewLayout,
	show: (key: string, value: string) => string,
): string {
	const name = Math.min(22, Math.max(10, Math.floor(width * 0.32)));
	const before = replaced === undefined ? '' : `${show(key, replaced)} -> `;
	const words = fate === 'yours wins' ? 'YOURS WINS' : fate;
	const text = `${before}${key.startsWith('-') ? '' : show(key, value)}`;
	const line = [
		`  ${signs[fate]} ${fit(printable(key), name)} `,
		fit(printable(text), Math.max(4, width - name - 5 - FATE)),
		fit(words, FATE),
	].join('');
	return fate === 'yours wins' ? theme.style('warning', line) : line;
}

function costLines(
	{facts, preview: {cost, diskGb, bid}}: Shown,
	layout: PreviewLayout,
): readonly string[] {
	const {inet_down_cost: down, inet_up_cost: up} = facts.offer;
	const gpu = bid === undefined ? 'GPU' : 'your bid';
	const lines = [
		`${gpu} ${signedPrice(cost.gpu)} + disk ${diskGb} GB ${signedPrice(cost.disk)} = ${pricePerHour(cost.allIn)}`,
		`1 day ${money(cost.perDay)}   7 days ${money(cost.perWeek)}`,
		`stopped: ${pricePerHour(cost.disk)} until destroyed`,
		down === 0 && up === 0
			? 'traffic free'
			: `traffic ${shortPrice(down)} in / ${shortPrice(up)} out per GB${cost.trafficIn === 0 && cost.trafficOut === 0 ? ', not included' : ''}`,
		...(bid === undefined ? [] : ['another can outbid it: then it is stopped']),
	];
	return [heading(layout, 'COST'), ...lines.map(line => fit(`  ${line}`, layout.width))];
}

function checkLines({checks}: Shown, layout: PreviewLayout): readonly string[] {
	return [heading(layout, 'CHECKS'), ...checks.flatMap(check => checkLine(check, layout))];
}

function checkLine({level, text}: OrderCheck, {theme, width}: PreviewLayout): readonly string[] {
	return wrapText(text, width - 9).map((line, index) => {
		const word = index === 0 ? levelTexts[level] : '';
		const written = fit(`  ${fit(word, 6)}${line}`, width);
		return level === 'ok' ? written : theme.style(level === 'no' ? 'danger' : 'warning', written);
	});
}

export const AGREEMENT =
	'Charges start when the instance is created, before it is running; disk is charged until you DESTROY it, also when stopped or stuck.';

function agreementLines(layout: PreviewLayout): readonly string[] {
	const lines = wrapText(AGREEMENT, layout.width - 3);
	return [heading(layout, 'YOU AGREE TO'), ...lines.map(line => fit(`  ${line}`, layout.width))];
}

function requestLines({facts, preview: {order}}: Shown, layout: PreviewLayout): readonly string[] {
	const note = '(Ctrl-Y copies it; the key is in none of it)';
	if (order === undefined)
		return [heading(layout, 'EXACT REQUEST', 'not before the form is right')];
	const {id} = facts.offer;
	const lines = [requestLine(id, order), asCommand(id, order)].flatMap(text =>
		wrapText(text, layout.width - 3),
	);
	return [
		heading(layout, 'EXACT REQUEST', note),
		...lines.map(line => fit(`  ${line}`, layout.width)),
		fit('  and RENTTY_WISH in env, by which it is found again if the answer is lost', layout.width),
	];
}

/** The line under the form: a problem, else the source that wins, else that all is well. */
export function footLine({preview, checks}: Shown, {theme, width}: PreviewLayout): string {
	const [worst] = checks;
	if (worst !== undefined && worst.level !== 'ok') {
		const line = fit(printable(`${levelTexts[worst.level]}: ${worst.text}`), width);
		return theme.style(worst.level === 'no' ? 'danger' : 'warning', line);
	}
	const conflicts = [...mergedEnv(preview), ...mergedFilters(preview)].filter(
		({fate}) => fate === 'yours wins',
	);
	const [first] = conflicts;
	if (first !== undefined) {
		const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
		const {key, value, replaced = ''} = first;
		const values = `template=${shownValue(key, replaced)}, yours=${shownValue(key, value)}`;
		return fit(printable(`merge: ${count} - ${key} ${values} (yours wins)`), width);
	}
	return fit(printable(worst === undefined ? '' : `ok: ${worst.text}`), width);
}
