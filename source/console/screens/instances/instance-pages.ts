/** The pages of an instance: last boot, ports, usage, hardware, and its raw record. */
import type {Size} from '../../terminal/terminal.ts';
import {percentBars} from '../../ui/graph.ts';
import {createStore} from '../../../renter/state/store.ts';
import {keptByStackEntry} from '../../services/router.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {costSoFar, formatCostRange, paidAhead} from '../../../renter/instance/cost.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {
	count,
	decimals,
	known,
	MISSING,
	money,
	percent,
	pricePerHour,
	wholePercent,
	formatGpus,
} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {sentenceLines, timelineLines, bootBar} from './band.ts';
import {openPorts} from '../../../renter/connect/ports.ts';
import {
	endsSentence,
	enforcerLines,
	enforcersNote,
	isEndMissed,
	rentalEnd,
	type EnforcerAnswers,
} from './ends.ts';
import {leaseOf} from '../../../renter/leases/held.ts';
import type {Theme} from '../../ui/theme.ts';
import {whenDoneLimitsText} from '../../../renter/leases/lease-terms.ts';
import {ratePerHour} from './words.ts';
import {fitsAllPanes, rawLines} from './pane.tsx';

const pages = [
	'All',
	'Connect',
	'Ports',
	'Logs',
	'Usage',
	'Run',
	'Timeline',
	'Spec',
	'Ends',
	'JSON',
] as const;

export type InstancePageName = (typeof pages)[number];

/** The pages that are lines about the instance alone. */
type FactPage = Exclude<InstancePageName, 'All' | 'Connect' | 'Logs' | 'Usage' | 'Run' | 'Ends'>;

type Writer = (row: FleetRow, width: number, theme: Theme) => readonly string[];

const writers: Readonly<Record<FactPage, Writer>> = {
	Timeline: (row, width, theme) => [
		...timelineLines(row, width),
		'',
		...bootBar(row, {theme, width}),
		'',
		...sentenceLines(row, width),
	],
	Ports: portPage,
	Spec: (row, width) => [...specLines(row, width), ...costLines(row, width)],
	JSON: ({instance}, width) => rawLines(instance).map(line => fit(` ${line}`, width)),
};

export function pageLines(
	page: FactPage,
	row: FleetRow,
	{theme, width}: {readonly theme: Theme; readonly width: number},
): readonly string[] {
	return writers[page](row, width, theme);
}

export function portLines({instance}: FleetRow, width: number): readonly string[] {
	const ports = openPorts(instance);
	if (ports.length === 0) return [' No port can be reached at present. Only what runs has ports.'];
	const host = printable(instance.public_ipaddr || MISSING).trim();
	const title = ` ${fit('container', 14)} ${fit('public', 26)} usually`;
	const lines = ports.map(({name, outside, guess}) => {
		const at = fit(`${host}:${printable(outside)}`, 26);
		return ` ${fit(printable(name), 14)} ${at} ${guess || MISSING}`;
	});
	return [title, ...lines].map(line => fit(line, width));
}

function portPage(row: FleetRow, width: number): readonly string[] {
	const keys = ' y copies the address of a page, again for the next one. f forwards ports.';
	return [...portLines(row, width), '', fit(keys, width)];
}

const oneDecimal = decimals(1);

const amount = known((gb: number) => `${oneDecimal(gb)} GB`);
const heat = known((celsius: number) => `${count(celsius)} C`);

/** Two amounts of something: "31.0 / 60.0 GB". */
function of(used: number | null | undefined, all: number | null | undefined): string {
	return `${oneDecimal(used)} / ${amount(all)}`;
}

function usageOf({instance, observation}: FleetRow, columns: number) {
	const use = percentBars(observation.use.slice(-Math.max(1, columns)));
	// Disk usage is -1 while it is unknown.
	const disk = (instance.disk_usage ?? -1) < 0 ? undefined : instance.disk_usage;
	return {
		gpu: `${fit(wholePercent(instance.gpu_util), 5)} ${use}`,
		memory: amount(instance.vmem_usage),
		cpu: wholePercent(instance.cpu_util),
		ram: of(instance.mem_usage, instance.mem_limit),
		disk: of(disk, instance.disk_space),
	};
}

export function usageFactLines(row: FleetRow, width: number): readonly string[] {
	const {gpu, memory, cpu, ram, disk} = usageOf(row, width - 30);
	return facts(width, [
		['GPU', gpu],
		['GPU memory', memory],
		['GPU heat', heat(row.instance.gpu_temp)],
		['CPU', cpu],
		['RAM', ram],
		['disk', disk],
		['bars', 'GPU at each poll, up to 100%'],
	]);
}

/** Hardware on two lines, and the end of the rental. */
export function usageSummary(row: FleetRow, width: number): readonly string[] {
	const {gpu, memory, cpu, ram, disk} = usageOf(row, 16);
	return [
		fit(` GPU ${gpu}   memory ${memory}   CPU ${cpu}   RAM ${ram}`, width),
		fit(` disk ${disk}   rental ends ${rentalEnd(row.instance, row.now)}`, width),
	];
}

const text = known(printable);

export function specLines(row: FleetRow, width: number): readonly string[] {
	const {instance} = row;
	return facts(width, [
		['GPUs', formatGpus(instance)],
		[
			'machine / host',
			`${known(String)(instance.machine_id)} / ${known(String)(instance.host_id)}`,
		],
		['where', text(instance.geolocation)],
		['image', text(instance.image_uuid)],
		['launch', text(instance.image_runtype)],
		['template', text(instance.template_name ?? instance.template_hash_id)],
		['disk', known((size: number) => `${count(size)} GB`)(instance.disk_space)],
		['rented', instance.is_bid === true ? 'by a bid' : 'on demand'],
	]);
}

export function costLines(row: FleetRow, width: number): readonly string[] {
	const {instance, rate} = row;
	const {dph_total: running} = instance;
	return facts(width, [
		['costs', ratePerHour(rate)],
		...(rate.now === running ? [] : [['while it runs', pricePerHour(running)] as const]),
		['disk if stopped', pricePerHour(instance.storage_total_cost)],
		...aheadFacts(row),
		['so far', known((sum: string) => `${sum}, without traffic`)(formatCostRange(costSoFar(row)))],
		...endFacts(row),
	]);
}

function aheadFacts(row: FleetRow): Facts {
	const left = paidAhead([row]);
	const off = percent(row.instance.credit_discount);
	return left > 0 ? [['paid ahead', `${money(left)} is left, at ${off} % off`]] : [];
}

export function endsLines(
	row: FleetRow,
	answers: EnforcerAnswers | undefined,
	{theme, width}: {readonly theme: Theme; readonly width: number},
): readonly string[] {
	const who = enforcerLines(answers, width).map(line => ` ${line}`);
	const lines = [...who, '', ` ${enforcersNote(answers)}`];
	const isMissed = isEndMissed(row);
	const ends = facts(width, endFacts(row)).map(line =>
		isMissed && line.startsWith(` ${BY_ITSELF}`) ? theme.style('danger', line) : line,
	);
	return [...ends, '', ...lines.map(line => fit(printable(line), width))];
}

const BY_ITSELF = 'ends by itself';

function endFacts(row: FleetRow): Facts {
	const {instance, now} = row;
	return [
		['rental ends', rentalEnd(instance, now)],
		[BY_ITSELF, endsSentence(row)],
		...beforeFacts(instance),
	];
}

function beforeFacts(instance: Instance): Facts {
	const before = leaseOf(instance).lease?.before;
	if (before === undefined) return [];
	const command = before.command ?? 'the command that it was rented with';
	return [
		['before that', command],
		['', whenDoneLimitsText(before)],
	];
}

type Facts = ReadonlyArray<readonly [name: string, value: string]>;

function facts(width: number, list: Facts): readonly string[] {
	return list.map(([name, value]) => fit(` ${fit(name, 16)}${printable(value)}`, width));
}

/** The open page and its first line; undefined picks the page that fits the instance's state. */
type InstanceView = {readonly page: InstancePageName | undefined; readonly top: number};

export const viewAt = keptByStackEntry(() => createStore<InstanceView>({page: undefined, top: 0}));

/** The pages that fit: the page of all only on a wide screen. */
export function pagesWithin(size: Size): readonly InstancePageName[] {
	return fitsAllPanes(size) ? pages : pages.filter(page => page !== 'All');
}

/** The chosen page; else all at once, or where that does not fit, the routes of a running instance or the boot of another. */
export function pageFor(
	{page}: InstanceView,
	{wanted, size}: {readonly wanted: InstancePageName | undefined; readonly size: Size},
	row: FleetRow | undefined,
): InstancePageName {
	const usual = row?.instance.actual_status === 'running' ? 'Connect' : 'Timeline';
	return [page, wanted, 'All' as const].find(isWithin(size)) ?? usual;
}

function isWithin(size: Size) {
	return (page: InstancePageName | undefined): page is InstancePageName =>
		page !== undefined && pagesWithin(size).includes(page);
}

export function neighbour(page: InstancePageName, step: 1 | -1, size: Size): InstancePageName {
	const within = pagesWithin(size);
	return within[(within.indexOf(page) + step + within.length) % within.length] ?? page;
}
