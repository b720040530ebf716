import type {DetectedGpu, GpuLoad, Gpus, RunTool} from './nvidia.ts';

const ASKED = [
	'--showproductname',
	'--showmeminfo',
	'vram',
	'--showmaxpower',
	'--showuse',
	'--showdriverversion',
	'--json',
];

/** GPUs of the machine; none without a working `rocm-smi`. */
export async function detectAmd(run: RunTool): Promise<Gpus> {
	const {gpus, driver} = parseCards((await run('rocm-smi', ASKED)) ?? '');
	return {gpus, driver, cuda: undefined};
}

/** Reads what `rocm-smi … --json` prints: an object for each card, and one for the system. */
export function parseCards(text: string): Pick<Gpus, 'gpus' | 'driver'> {
	const known = readJson(text);
	const driver = fieldsOf(known['system'])['Driver version'];
	return {
		gpus: cardsIn(known).map(({card}) => gpuOf(card)),
		driver: typeof driver === 'string' ? driver : undefined,
	};
}

function cardsIn(known: Fields) {
	return Object.entries(known)
		.flatMap(([name, card]) => {
			const number = /^card(\d+)$/.exec(name)?.[1];
			return number === undefined ? [] : [{number: Number(number), card: fieldsOf(card)}];
		})
		.toSorted((one, other) => one.number - other.number);
}

const BYTES_PER_MB = 1024 * 1024;

/** Load from which a GPU counts as in use. */
const BUSY_PERCENT = 20;

function gpuOf(card: Fields): DetectedGpu {
	const bytes = numberIn(card, /VRAM Total Memory/i);
	return {
		name: cardName(card),
		arch: 'amd',
		memoryMb: bytes === undefined ? undefined : Math.round(bytes / BYTES_PER_MB),
		maxPower: numberIn(card, /Max Graphics Package Power/i),
		computeCapability: undefined,
		pciGeneration: undefined,
		lanes: undefined,
		hasDisplay: undefined,
		isBusy: (numberIn(card, /GPU use/i) ?? 0) > BUSY_PERCENT,
	};
}

function cardName(card: Fields): string {
	const found = ['Card Series', 'Card series', 'Card Model', 'Card model']
		.map(field => card[field])
		.find(value => typeof value === 'string' && value !== 'N/A' && !value.startsWith('0x'));
	if (typeof found !== 'string') return 'AMD GPU';
	return found
		.replace(/^AMD\s+/i, '')
		.replace(/^(Instinct|Radeon)\s+/i, '')
		.slice(0, 128);
}

const LOADS = ['--showuse', '--showmeminfo', 'vram', '--showtemp', '--json'];

export async function measureAmd(run: RunTool): Promise<ReadonlyMap<number, GpuLoad>> {
	const known = readJson((await run('rocm-smi', LOADS)) ?? '');
	return new Map(
		cardsIn(known).map(({number, card}) => {
			const bytes = numberIn(card, /VRAM Total Used Memory/i);
			return [
				number,
				{
					util: numberIn(card, /GPU use/i),
					temperature: numberIn(card, /Temperature \(Sensor (?:edge|junction)\)/i),
					memoryMb: bytes === undefined ? undefined : Math.round(bytes / BYTES_PER_MB),
				},
			];
		}),
	);
}

/** Unique ids of cards, which renumbering does not change. */
export async function uniqueIds(run: RunTool): Promise<ReadonlyMap<number, string>> {
	const known = readJson((await run('rocm-smi', ['--showuniqueid', '--json'])) ?? '');
	return new Map(
		cardsIn(known).flatMap(({number, card}) => {
			const id = card['Unique ID'];
			return typeof id === 'string' && id.startsWith('0x') ? [[number, id] as const] : [];
		}),
	);
}

type Fields = Readonly<Record<string, unknown>>;

function numberIn(card: Fields, name: RegExp): number | undefined {
	const value = Object.entries(card).find(([field]) => name.test(field))?.[1];
	const number = typeof value === 'number' ? value : Number.parseFloat(String(value));
	return Number.isFinite(number) ? number : undefined;
}

/** Reads the tool's JSON, which warnings may precede. */
function readJson(text: string): Fields {
	try {
		return fieldsOf(JSON.parse(text.slice(Math.max(0, text.indexOf('{')))));
	} catch {
		return {};
	}
}

function fieldsOf(value: unknown): Fields {
	return typeof value === 'object' && value !== null ? {...value} : {};
}
