import {keptByStackEntry, type StackEntry} from '../../services/router.ts';
import {draggedWidth} from '../../ui/panes.ts';
import {createStore} from '../../../renter/state/store.ts';
import {costOf, type Job, type OfferCost} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {
	count,
	decimals,
	duration,
	gigabytesOfMb,
	known,
	MISSING,
	money,
	percent,
	shortPrice,
} from '../../../renter/text/format.ts';
import {spread} from '../../ui/chrome.ts';
import {paneLine} from '../../ui/rules.ts';
import {lyingBar} from '../../ui/graph.ts';
import {type HostRecord, bootFacts} from '../../../renter/offers/host-history.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {formatTier} from './compare.ts';
import {expectsTraffic, formatJobTraffic} from '../../../renter/offers/job.ts';
import {
	binOf,
	cheapest,
	quantile,
	type Bin,
	type PriceHistogram,
} from '../../../renter/offers/prices.ts';

export type OfferPaneKind = 'summary' | 'prices' | 'raw' | 'off';

const panes: readonly OfferPaneKind[] = ['summary', 'prices', 'raw', 'off'];

/** Narrower than this, the list has no columns to spare. */
const LEAST_WIDTH = 140;
const PANE_WIDTH = 50;
/** Least columns of the pane, and of the list beside it. */
const [LEAST_PANE, LEAST_LIST] = [40, 80];

export const paneAt = keptByStackEntry(() => createStore<OfferPaneKind>('summary'));

export function nextOfferPane(pane: OfferPaneKind): OfferPaneKind {
	return panes[(panes.indexOf(pane) + 1) % panes.length] ?? 'summary';
}

/** Columns of the pane, as its edge was dragged. */
const columnsAt = keptByStackEntry(() => createStore(PANE_WIDTH));

export function paneWidth(width: number, pane: OfferPaneKind, columns = PANE_WIDTH): number {
	return width >= LEAST_WIDTH && pane !== 'off' ? Math.min(columns, width - LEAST_LIST) : 0;
}

/** Columns of the pane, and how its edge is dragged. */
export function paneEdge(stackEntry: StackEntry, width: number) {
	const columns = columnsAt(stackEntry);
	const limits = {least: LEAST_PANE, most: width - LEAST_LIST};
	return {
		columns,
		drag: (by: number) => columns.set(draggedWidth(columns.get(), by, limits)),
	};
}

/** Reason why there is no space for a pane; undefined if there is. */
export function paneUnavailable(width: number): string | undefined {
	return width >= LEAST_WIDTH ? undefined : `it needs ${LEAST_WIDTH} columns, there are ${width}`;
}

const LABEL_WIDTH = 10;
const BAR_WIDTH = 24;

export type PaneContent = {
	readonly pane: OfferPaneKind;
	readonly offer: Offer | undefined;
	readonly prices: PriceHistogram;
	/** The kind of GPU that the prices are of; undefined for all kinds. */
	readonly kind: string | undefined;
	readonly job: Job;
	readonly host: HostRecord | undefined;
	/** Watches and their findings: a line each. */
	readonly watches?: ReadonlyArray<readonly [watch: string, seen: string]>;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

export function offerPaneLines(content: PaneContent): readonly string[] {
	const {theme, width, height} = content;
	const foot = ' i: summary > prices > raw JSON > off';
	const lines = bodyOf(content).slice(0, height - 1);
	return Array.from({length: height}, (_, at) => {
		const line = at === height - 1 ? theme.style('quiet', fit(foot, width - 2)) : (lines[at] ?? '');
		return paneLine(theme, line);
	});
}

function bodyOf(content: PaneContent): readonly string[] {
	// Before the first offer, the service's fields are unknown.
	if (content.offer === undefined) return [];
	switch (content.pane) {
		case 'summary':
			return [...priceLines(content), '', ...selectedLines(content), ...watchLines(content)];
		case 'prices':
			return [...priceLines(content), '', ...quantileLines(content)];
		case 'raw':
			return rawLines(content);
		case 'off':
			return [];
	}
}

function heading({theme, width}: PaneContent, text: string): string {
	return theme.style('heading', fit(text, width - 2));
}

/** An offer in a few words: its location, the cost of a day, and how cheap it is among its kind. */
export function offerNotes(offer: Offer, job: Job, prices: PriceHistogram): readonly string[] {
	const {allIn, allInPerGpu: own} = costOf(offer, job);
	if (allIn === undefined) return [];
	const day = `${money(allIn * 24)} a day`;
	const {sorted} = prices;
	const index = own === undefined ? -1 : sorted.findIndex(one => one >= own);
	const rank = index === -1 ? [] : [rankAmong(index + 1, sorted.length)];
	const {geolocation} = offer;
	const where = typeof geolocation === 'string' ? [printable(geolocation)] : [];
	return [[...where, day, ...rank].join(' · '), [day, ...rank].join(' · '), day];
}

function rankAmong(rank: number, all: number): string {
	return rank === 1 ? `the cheapest of ${count(all)}` : `${count(rank)} of ${count(all)} by price`;
}

/** A bar for each range of prices, with the one of the offer under the cursor. */
function priceLines(content: PaneContent): readonly string[] {
	const {prices, job, offer, theme, width, kind = 'MATCHES'} = content;
	const {sorted, bins} = prices;
	const title = `PRICE OF ${count(sorted.length)} ${printable(kind)} (all-in $/GPU-h, ${job.diskGb}G)`;
	if (sorted.length === 0) return [heading(content, title), '', ' This server sends no prices.'];
	const own = offer === undefined ? undefined : costOf(offer, job).allInPerGpu;
	const rank = own === undefined ? '' : `   you: cheapest ${cheapest(prices, own)}%`;
	const middle = `median ${shortPrice(quantile(sorted, 0.5))}   p10 ${shortPrice(quantile(sorted, 0.1))}`;
	const most = Math.max(...bins.map(bin => bin.count));
	const chosen = own === undefined ? -1 : binOf(prices, own);
	return [
		heading(content, title),
		'',
		...bins.map((bin, at) => {
			const [look, mark] = at === chosen ? (['strong', ' <'] as const) : (['quiet', ''] as const);
			const label = fit(` ${rangeOf(bin, prices.digits)}`, LABEL_WIDTH + 2);
			const amount = count(bin.count).padStart(6) + mark;
			const room = Math.min(BAR_WIDTH, width - 2 - label.length - amount.length);
			const drawn = fit(lyingBar(bin.count / most, room), room);
			return theme.style(look, label) + theme.style('curve', drawn) + theme.style(look, amount);
		}),
		'',
		fit(` ${middle}${rank}`, width - 2),
	];
}

function rangeOf({from, to}: Bin, digits: number): string {
	const write = (dollars: number) => dollars.toFixed(digits).replace(/^0\./, '.');
	return to === undefined ? `${write(from)} +` : `${write(from)}-${write(to)}`;
}

/** The price that a percentage of offers is at or below. */
function quantileLines(content: PaneContent): readonly string[] {
	const {sorted} = content.prices;
	const lines = [5, 10, 25, 50, 75, 90, 95].map(share => {
		const at = shortPrice(quantile(sorted, share / 100));
		return ` ${`${share}%`.padStart(4)} of all cost at most ${at}`;
	});
	return [heading(content, 'OF A HUNDRED'), ...lines];
}

/** The offer under the cursor: its cost, and the facts worth reading before opening it. */
function selectedLines(content: PaneContent): readonly string[] {
	const {offer, job, host, width} = content;
	if (offer === undefined) return [];
	const boots = host === undefined ? [] : bootFacts(host);
	const lines = [
		` ${known((gpus: number) => `${gpus}x `)(offer.num_gpus)}${known(printable)(offer.gpu_name)} ${gigabytesOfMb(offer.gpu_ram)}  ${known(printable)(offer.geolocation)}  ${formatTier(offer)}`,
		...costLines(costOf(offer, job), offer, job),
		'',
		` reliability ${withUnit(percent(offer.reliability), '%')}   max rental ${duration(offer.duration)}`,
		` CUDA ${decimals(1)(offer.cuda_max_good)}   ports ${count(offer.direct_port_count)}`,
		...boots.map(([name, value]) => ` ${name} here: ${value}`),
	];
	return [heading(content, `SELECTED  ${offer.id}`), ...lines.map(line => fit(line, width - 2))];
}

const perGb = known((dollars: number) => (dollars === 0 ? 'free' : `${shortPrice(dollars)} /GB`));

function netInWords({inet_up_cost: up, inet_down_cost: down}: Offer): string {
	return up === 0 && down === 0 ? 'free' : `${perGb(up)} up  ${perGb(down)} down`;
}

function costLines(cost: OfferCost, offer: Offer, job: Job): readonly string[] {
	const traffic =
		cost.allIn === undefined || cost.running === undefined ? undefined : cost.allIn - cost.running;
	return [
		` GPU           ${shortPrice(cost.gpu)} /h`,
		` disk ${`${job.diskGb}G`.padEnd(8)} ${shortPrice(cost.disk)} /h   stopped: ${shortPrice(cost.disk)} /h`,
		` net           ${netInWords(offer)}`,
		...(expectsTraffic(job)
			? [` ${formatJobTraffic(job).padEnd(13)} ${shortPrice(traffic)} /h`]
			: []),
		` ALL-IN        ${shortPrice(cost.allIn)} /h   = ${money(cost.perDay)} /day`,
		` ${`${job.hours} h cost`.padEnd(13)} ${money(cost.job)}`,
	];
}

function withUnit(value: string, name: string): string {
	return value === MISSING ? MISSING : value + name;
}

function watchLines({watches = [], width}: PaneContent): readonly string[] {
	if (watches.length === 0) return [];
	return ['', ...watches.map(([watch, seen]) => spread(width - 2, ` WATCH  ${watch}`, seen))];
}

function rawLines(content: PaneContent): readonly string[] {
	const {offer, width} = content;
	const lines = JSON.stringify(offer, null, 1).split('\n');
	return [
		heading(content, 'WHAT THE SERVER SENT'),
		...lines.map(line => fit(` ${printable(line)}`, width - 2)),
	];
}
