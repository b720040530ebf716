/** The pages of one instance: its last boot, its ports, what it uses, what it is, and all that was sent. */
import {costSoFar} from '../../fleet/burn.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {count, decimals, known, MISSING, money, pricePerHour} from '../../format.ts';
import {fit, printable} from '../../terminal/output/text-width.ts';
import {sentenceAbout, timelineLines} from './band.ts';
import {sparkline} from './sparkline.ts';
import {gpusOf, labelOf} from './words.ts';

export const pages = ['Connect', 'Ports', 'Logs', 'Usage', 'Timeline', 'Spec', 'JSON'] as const;

export type Page = (typeof pages)[number];

/** The pages that are lines about the instance alone. */
export type FactPage = Exclude<Page, 'Connect' | 'Logs'>;

const writers: Readonly<Record<FactPage, (row: FleetRow, width: number) => readonly string[]>> = {
	Timeline: (row, width) => [...timelineLines(row, width), '', fit(sentenceAbout(row), width)],
	Ports: portLines,
	Usage: usageLines,
	Spec: specLines,
	JSON: ({instance}, width) =>
		JSON.stringify(instance, undefined, 2)
			.split('\n')
			.map(line => fit(` ${printable(line)}`, width)),
};

export function pageLines(page: FactPage, row: FleetRow, width: number): readonly string[] {
	return writers[page](row, width);
}

function portLines({instance: {ports, public_ipaddr: address}}: FleetRow, width: number) {
	const bound = Object.entries(ports ?? {}).flatMap(([port, places]) =>
		places.map(({HostPort}) => [port, HostPort] as const),
	);
	if (bound.length === 0) return [' No port can be reached at present. Only what runs has ports.'];
	const host = printable(address ?? MISSING).trim();
	const title = ` ${fit('container', 14)} public`;
	return [
		title,
		...bound.map(([port, at]) =>
			fit(` ${fit(printable(port), 14)} ${host}:${printable(at)}`, width),
		),
	];
}

const percent = known((value: number) => `${Math.round(value)}%`);
const oneDecimal = decimals(1);

/** Two amounts of something: "31.0 / 60.0 GB". */
function of(used: number | null | undefined, all: number | null | undefined): string {
	return `${oneDecimal(used)} / ${oneDecimal(all)} GB`;
}

function usageLines({instance, seen}: FleetRow, width: number): readonly string[] {
	const use = sparkline(seen.use.slice(-Math.max(1, width - 30)));
	// The disk is -1 for as long as nothing is known of it.
	const disk = (instance.disk_usage ?? -1) < 0 ? undefined : instance.disk_usage;
	return facts(width, [
		['GPU', `${fit(percent(instance.gpu_util), 5)} |${use}|`],
		['GPU memory', `${oneDecimal(instance.vmem_usage)} GB`],
		['GPU heat', `${count(instance.gpu_temp)} C`],
		['CPU', percent(instance.cpu_util)],
		['RAM', of(instance.mem_usage, instance.mem_limit)],
		['disk', of(disk, instance.disk_space)],
		['each column', 'one look at it, 0 to 9 for nothing to all of it'],
	]);
}

const text = known(printable);

function specLines(row: FleetRow, width: number): readonly string[] {
	const {instance} = row;
	return facts(width, [
		['GPUs', gpusOf(instance)],
		[
			'machine / host',
			`${known(String)(instance.machine_id)} / ${known(String)(instance.host_id)}`,
		],
		['where', text(instance.geolocation)],
		['image', text(instance.image_uuid)],
		['launch', text(instance.image_runtype)],
		['template', text(instance.template_name ?? instance.template_hash_id)],
		['disk', known((size: number) => `${count(size)} GB`)(instance.disk_space)],
		['label', labelOf(instance) || MISSING],
		['rented', instance.is_bid === true ? 'by a bid' : 'on demand'],
		['running', pricePerHour(instance.dph_total)],
		['disk alone', pricePerHour(instance.storage_total_cost)],
		['so far', known((sum: number) => `about ${money(sum)}, without traffic`)(costSoFar(instance))],
	]);
}

type Facts = ReadonlyArray<readonly [name: string, value: string]>;

function facts(width: number, list: Facts): readonly string[] {
	return list.map(([name, value]) => fit(` ${fit(name, 16)}${value}`, width));
}
