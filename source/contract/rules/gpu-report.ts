/** The report of `nvidia-smi -q`: values under titles, nested by indentation. */

/** Facts of a GPU; undefined if its driver does not report them. */
export type GpuReading = {
	readonly name: string | undefined;
	readonly uuid: string | undefined;
	readonly serial: string | undefined;
	/** `00000000:18:00.0` */
	readonly bus: string;
	/** The tool's words for a GPU that does not answer; undefined for one that does. */
	readonly silence: string | undefined;
	readonly memoryMb: number | undefined;
	readonly usedMb: number | undefined;
	/** Percent. */
	readonly use: number | undefined;
	readonly pcie: {
		readonly generation: number | undefined;
		readonly mostGeneration: number | undefined;
		readonly lanes: number | undefined;
		readonly mostLanes: number | undefined;
	};
	/** Present reasons for throttled clocks, in the driver's words. */
	readonly slowedBy: readonly string[];
	/** Memory errors since the driver was loaded. */
	readonly ecc: {readonly corrected: number | undefined; readonly uncorrected: number | undefined};
	readonly repair: {
		/** Rows or pages that were replaced because of uncorrectable errors. */
		readonly replaced: number;
		readonly isPending: boolean;
		readonly hasFailed: boolean;
	};
	/** Degrees Celsius. */
	readonly heat: number | undefined;
	/** Degrees left until it slows down. */
	readonly heatLeft: number | undefined;
	/** Watts. */
	readonly power: {
		readonly draw: number | undefined;
		readonly limit: number | undefined;
		readonly usualLimit: number | undefined;
	};
	/** MHz. */
	readonly clock: {readonly now: number | undefined; readonly most: number | undefined};
	/** Remedy reported by the driver: `Reset`, `Reboot`, `Drain P2P`. */
	readonly recovery: string | undefined;
};

type GpuReport = {
	readonly driver: string | undefined;
	/** The newest CUDA version that the driver supports. */
	readonly cuda: number | undefined;
	readonly gpus: readonly GpuReading[];
};

const MOST_GPUS = 64;
/** `GPU 00000000:18:00.0`, `GPU1: 0000:34:00.0` */
const NAMED = /GPU ?(?:\d{1,3}: )?([\da-f]{4,8}:[\da-f]{2}:[\da-f]{2}\.\d)/i;

export function readGpuReport(text: string): GpuReport {
	const [head = '', ...parts] = text.split(/^(?=GPU [\da-f]{4,8}:)/im);
	const about = valuesIn(head);
	const gpus = parts.slice(0, MOST_GPUS).map(readGpu);
	// The tool may list an unresponsive GPU first, without other fields.
	const silent = head
		.split('\n')
		.filter(line => SILENT.test(line))
		.map(line => readGpu(`${NAMED.exec(line)?.[0] ?? 'GPU'}\n${line}`))
		.filter(({bus}) => !gpus.some(gpu => bus !== '' && gpu.bus.endsWith(bus)));
	return {
		driver: about.get('Driver Version'),
		cuda: numberOf(about.get('CUDA Version') ?? about.get('CUDA UMD Version')),
		gpus: [...gpus, ...silent.slice(0, MOST_GPUS)],
	};
}

/** Values by their titles, such as `Temperature > GPU Current Temp`, without unknown ones. */
function valuesIn(text: string): ReadonlyMap<string, string> {
	const titles: Array<{readonly depth: number; readonly title: string}> = [];
	const values = new Map<string, string>();
	for (const line of text.split('\n')) {
		const [, blanks = '', title = '', value = ''] =
			/^( *)([^:]*[^:\s])\s*(?::(.*))?$/.exec(line) ?? [];
		if (title === '') continue;
		while ((titles.at(-1)?.depth ?? -1) >= blanks.length) titles.pop();
		titles.push({depth: blanks.length, title});
		const word = value.trim();
		if (word === '' || /^\[?(?:N\/A|Not Supported|Unknown Error)\]?$/i.test(word)) continue;
		values.set(titles.map(one => one.title).join(' > '), word);
	}
	return values;
}

const SILENT = /^.*(?:Unable to determine the device handle|GPU is lost|fallen off the bus).*$/im;

function readGpu(text: string): GpuReading {
	const [first = ''] = text.split('\n', 1);
	const values = valuesIn(text.slice(first.length));
	const bus = NAMED.exec(first)?.[1] ?? '';
	const number = (...titles: readonly string[]) =>
		titles.map(title => numberOf(values.get(title))).find(value => value !== undefined);
	const link = 'PCI > GPU Link Info';
	return {
		name: values.get('Product Name'),
		uuid: values.get('GPU UUID'),
		serial: values.get('Serial Number'),
		bus,
		silence: SILENT.exec(text)?.[0].trim(),
		memoryMb: number('FB Memory Usage > Total', 'Memory Usage > Total'),
		usedMb: number('FB Memory Usage > Used', 'Memory Usage > Used'),
		use: number('Utilization > Gpu', 'Utilization > GPU'),
		pcie: {
			generation: number(`${link} > PCIe Generation > Current`),
			mostGeneration: number(`${link} > PCIe Generation > Max`),
			lanes: number(`${link} > Link Width > Current`),
			mostLanes: number(`${link} > Link Width > Max`),
		},
		slowedBy: slowedBy(values),
		ecc: eccIn(values),
		repair: {
			replaced:
				(number('Remapped Rows > Uncorrectable Error') ?? 0) +
				(number('Retired Pages > Double Bit ECC') ?? 0),
			isPending: [
				'Remapped Rows > Pending',
				'Retired Pages > Pending Page Blacklist',
				'Retired Pages > Pending',
			].some(title => values.get(title) === 'Yes'),
			hasFailed: values.get('Remapped Rows > Remapping Failure Occurred') === 'Yes',
		},
		heat: number('Temperature > GPU Current Temp'),
		heatLeft: heatLeft(number),
		power: {
			draw: number('GPU Power Readings > Power Draw', 'Power Readings > Power Draw'),
			limit: number(
				'GPU Power Readings > Current Power Limit',
				'Power Readings > Current Power Limit',
				'Power Readings > Power Limit',
			),
			usualLimit: number(
				'GPU Power Readings > Default Power Limit',
				'Power Readings > Default Power Limit',
			),
		},
		clock: {now: number('Clocks > SM'), most: number('Max Clocks > SM')},
		recovery: recoveryOf(values),
	};
}

type Values = ReadonlyMap<string, string>;

/** Harmless reasons that every GPU can have: idleness, or a setting of its owner. */
const harmless = new Set(['Idle', 'Applications Clocks Setting', 'SW Power Cap', 'Sync Boost']);

/** Throttle reasons; older drivers have other titles, also for clocks of a display. */
function slowedBy(values: Values): readonly string[] {
	return [...values].flatMap(([title, value]) => {
		const reason = /^Clocks (?:Event|Throttle) Reasons > (.*)$/.exec(title)?.[1];
		if (reason === undefined || value !== 'Active') return [];
		const last = reason.split(' > ').at(-1) ?? '';
		return harmless.has(last) || last.startsWith('Display Clock') ? [] : [last];
	});
}

function eccIn(values: Values): GpuReading['ecc'] {
	const sum = (pattern: RegExp) => {
		const found = [...values]
			.filter(([title]) => pattern.test(title))
			.map(([, value]) => numberOf(value))
			.filter(value => value !== undefined);
		return found.length === 0 ? undefined : found.reduce((all, value) => all + value, 0);
	};
	// Drivers before Ampere count single and double bits, with a total of each.
	return {
		corrected: sum(/^ECC Errors > Volatile > (?:[SD]RAM Correctable|Single Bit > Total)/),
		uncorrected: sum(/^ECC Errors > Volatile > (?:[SD]RAM Uncorrectable|Double Bit > Total)/),
	};
}

/** Margin to the limit: newer GPUs report it, older ones the limit itself. */
function heatLeft(
	number: (...titles: readonly string[]) => number | undefined,
): number | undefined {
	const left = number('Temperature > GPU T.Limit Temp');
	const limit = number('Temperature > GPU Slowdown Temp');
	const heat = number('Temperature > GPU Current Temp');
	if (limit !== undefined && heat !== undefined) return limit - heat;
	if (left === undefined) return undefined;
	return left - (number('Temperature > GPU Slowdown T.Limit Temp') ?? 0);
}

function recoveryOf(values: Values): string | undefined {
	const action = values.get('GPU Recovery Action');
	if (action !== undefined && action !== 'None') return action;
	if (values.get('GPU Reset Status > Reset Required') === 'Yes') return 'Reset';
	return undefined;
}

/** `81559 MiB`, `16x`, `700.00 W`, `-8 C`. */
function numberOf(text: string | undefined): number | undefined {
	const found = /^-?\d{1,15}(?:\.\d{1,6})?/.exec(text ?? '')?.[0];
	return found === undefined ? undefined : Number(found);
}

export const unknownGpu: GpuReading = readGpu('');
