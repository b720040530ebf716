/** Facts from the output of an instance's examination, part by part. */
import {readLinks, readXids, type Xid} from '../../contract/rules/gpu-health.ts';
import {readGpuReport, unknownGpu, type GpuReading} from '../../contract/rules/gpu-report.ts';
import {fieldsOf, parseJson} from '../../contract/grammar/json.ts';

/** Megabits a second. */
export type LineSpeed = {readonly down: number; readonly up: number};

export type ExaminationReadings = {
	/** `silent`: the driver's tool did not answer in time; `none`: there is no such tool. */
	readonly tool: 'answers' | 'silent' | 'none';
	readonly gpus: readonly GpuReading[];
	readonly driver: string | undefined;
	readonly cuda: number | undefined;
	/** Working NVLinks of each GPU. */
	readonly links: readonly number[];
	/** Errors in the kernel's log; undefined if it may not be read. */
	readonly xids: readonly Xid[] | undefined;
	/** Count of GPU device files that programs of the instance have open. */
	readonly holders: number | undefined;
	readonly processors: number | undefined;
	readonly memoryGb: number | undefined;
	readonly disk: {
		readonly sizeGb: number | undefined;
		/** Megabytes a second. */
		readonly written: number | undefined;
		readonly read: number | undefined;
	};
	/** Seconds since 1970 by the instance's clock. */
	readonly time: number | undefined;
	/**
	 * The instance's download speed from an address, in megabits a second, or the reason why there
	 * is none.
	 */
	readonly download: number | string | undefined;
};

type Parts = ReadonlyMap<string, string>;

export function splitByTitle(text: string): Parts {
	return new Map(
		text
			.split(/^== /m)
			.slice(1)
			.map(part => {
				const end = part.indexOf('\n');
				return [part.slice(0, end), part.slice(end + 1).trim()] as const;
			}),
	);
}

export function parseReadings(parts: Parts): ExaminationReadings {
	const textOf = (title: string) => parts.get(title) ?? '';
	const report = readGpuReport(textOf('gpus'));
	const cards = readCards(textOf('cards'));
	const hasTool = !textOf('gpus').startsWith('no tool');
	const kernel = textOf('kernel');
	return {
		tool: cards.length > 0 || report.gpus.length > 0 ? 'answers' : toolOf(textOf('gpus'), hasTool),
		...report,
		gpus: [...report.gpus, ...cards],
		links: readLinks(textOf('links')),
		xids: kernel.startsWith('read') ? readXids(kernel) : undefined,
		holders: numberIn(textOf('holders'), /^(\d{1,9})$/m),
		processors: leastOf([
			numberIn(textOf('processors'), /^(\d{1,5})$/m),
			shareOf(textOf('processors')),
		]),
		memoryGb: leastOf([
			inGb(numberIn(textOf('memory'), /^MemTotal: *(\d{1,15}) kB/m), 1024),
			inGb(numberIn(textOf('memory'), /^(\d{1,18})$/m), 1),
		]),
		disk: {
			sizeGb: inGb(numberIn(textOf('disk'), /^\S+ +(\d{1,15}) /m), 1024),
			written: speedIn(textOf('speed'), /^wrote (\d{1,9}) (\d{1,9})$/m),
			read: speedIn(textOf('speed'), /^read (\d{1,9}) (\d{1,9})$/m),
		},
		time: numberIn(textOf('time'), /^(\d{1,12})$/m),
		download: downloadIn(textOf('download')),
	};
}

function toolOf(text: string, hasTool: boolean): ExaminationReadings['tool'] {
	// A tool without a driver reports that, and is no help.
	return hasTool && text === '' ? 'silent' : 'none';
}

function numberIn(text: string, pattern: RegExp): number | undefined {
	const found = pattern.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

function leastOf(values: ReadonlyArray<number | undefined>): number | undefined {
	const known = values.filter(value => value !== undefined && value > 0);
	return known.length === 0 ? undefined : Math.min(...known.map(Number));
}

function inGb(count: number | undefined, bytes: number): number | undefined {
	return count === undefined ? undefined : (count * bytes) / 1e9;
}

/** Processors in the quota of a control group: `800000 100000`. */
function shareOf(text: string): number | undefined {
	const [, quota = '0', period = '1'] = /^(\d{1,12}) (\d{1,12})$/m.exec(text) ?? [];
	return Number(quota) / Number(period) || undefined;
}

/** Megabytes of 1,048,576 bytes in hundredths of a second. */
function speedIn(text: string, pattern: RegExp): number | undefined {
	const [, count = '0', hundredths = '0'] = pattern.exec(text) ?? [];
	const seconds = Number(hundredths) / 100;
	return seconds <= 0 ? undefined : Math.round((Number(count) * 1.048576) / seconds);
}

function downloadIn(text: string): ExaminationReadings['download'] {
	const [, bytes = '', seconds = '', code = ''] =
		/^(\d{1,15})[\d.]* ([\d.]{1,15}) (\d{3})$/m.exec(text) ?? [];
	if (text === 'no curl') return 'there is no curl in it';
	if (bytes === '') return undefined;
	if (code !== '200') return `the address answered ${code === '000' ? 'nothing' : code}`;
	return Math.round((Number(bytes) * 8) / 1e4 / Math.max(Number(seconds), 0.001)) / 100;
}

/** Cards as `rocm-smi --json` lists them, behind its warnings: their names and their memory. */
function readCards(text: string): readonly GpuReading[] {
	const cards = fieldsOf(parseJson(text.slice(Math.max(0, text.indexOf('{')))));
	return Object.entries(cards).flatMap(([title, card]) => {
		if (!/^card\d{1,3}$/.test(title)) return [];
		const fields = fieldsOf(card);
		const bytes = Number(fields['VRAM Total Memory (B)'] ?? Number.NaN);
		const name = fields['Card Series'] ?? fields['Card series'];
		return {
			...unknownGpu,
			bus: title,
			name: typeof name === 'string' ? name : undefined,
			memoryMb: Number.isFinite(bytes) ? Math.round(bytes / 1024 / 1024) : undefined,
		};
	});
}
