/** User's settings; `settings.ts` reads them from a file. */
export type Settings = {
	/** The disk that every price includes, in GB. */
	readonly diskGb: number;
	/** Duration of the usual job. */
	readonly hours: number;
	/** The traffic that the usual job expects. */
	readonly inGbPerHour: number;
	readonly outGbPerHour: number;
	/** The columns of each list, by the list's name. Other lists have their default ones. */
	readonly columns: Readonly<Record<string, ColumnChoice>>;
	readonly searches: readonly SavedSearch[];
	readonly watches: readonly PriceWatch[];
	readonly views: readonly SavedView[];
	/** The initial view of Instances; empty for all of them. */
	readonly startView: string;
	/** SSH connections: in this terminal, in a window of tmux, or only printed. */
	readonly ssh: 'stepAside' | 'tmuxWindow' | 'print';
	readonly limits: ConditionLimits;
	readonly notify: NotifyChoice;
	readonly spend: SpendBudget;
	/** Alternatives if an offer is gone before it could be rented. */
	readonly fallback: {
		readonly tries: number;
		/** Most that they may cost above the first, in percent. */
		readonly ceilingPercent: number;
	};
	/** The default template of rents; null for none. */
	readonly templateHash: string | null;
	/** Leases of rentals by the hash of their template, in place of `lease`. */
	readonly templateLeases: Readonly<Record<string, string>>;
	/** Stores an instance's own key in a file, instead of only showing it once. */
	readonly keepInstanceKeys: boolean;
	/** Lease of new instances, such as `for 6h idle 30m then stop`; empty for none. */
	readonly lease: string;
	/** Characters for rules and bars: lines or ASCII. */
	readonly glyphs: 'auto' | 'ascii' | 'unicode';
	readonly colour: 'auto' | 'never';
	readonly theme: ThemeName;
	/** Keys of the user's own, by the names of bindings: a key, several, or none. */
	readonly keys: Readonly<Record<string, string | readonly string[]>>;
	/** Patterns for log lines of custom trainers, such as `it {step}/{of} | L={loss}`. */
	readonly runPatterns: readonly string[];
	/**
	 * Folders in instances in which TensorBoard's event files are searched for; empty for the usual
	 * ones.
	 */
	readonly runFolders: readonly string[];
	/** The user's own commands for the row under the cursor. */
	readonly commands: readonly CustomCommand[];
	/**
	 * Lets the mouse click, drag and scroll; the terminal itself then selects text only with Shift.
	 * `auto`: if the terminal reports a mouse, and in tmux if the user has its mouse on.
	 */
	readonly mouse: 'auto' | boolean;
};

export const themeNames = ['default', 'light', 'high-contrast', 'colour-blind', 'mono'] as const;
export type ThemeName = (typeof themeNames)[number];

/** A program to run for an offer, an instance or a template. */
export type CustomCommand = {
	readonly name: string;
	/** The key that runs it; without one it is only in the list of actions and in the palette. */
	readonly key?: string | undefined;
	readonly screen: 'offers' | 'instances' | 'templates';
	/** The program and its arguments, without a shell; `{id}` and other names become fields of the row. */
	readonly command: readonly string[];
	readonly runs: 'aside' | 'background';
	readonly asks: boolean;
};

export type ColumnSet = 'compact' | 'normal' | 'wide';

/** Columns of a list, as changes to its default set. */
export type ColumnChoice = {
	readonly set: ColumnSet;
	/**
	 * Columns that are shown although the default set lacks them, or hidden although it has them.
	 */
	readonly visible: Readonly<Record<string, boolean>>;
	/** Columns from left to right; those not named follow in their usual order. */
	readonly order: readonly string[];
	readonly widths: Readonly<Record<string, number>>;
};

export type SavedSearch = {readonly name: string; readonly words: string};

/** Fields that instances can be grouped by. */
export const groupings = ['label', 'gpu', 'host', 'image', 'template', 'service'] as const;

export type Grouping = (typeof groupings)[number];

export type SavedView = {
	readonly name: string;
	/** The view's query line; empty for all instances. */
	readonly words: string;
	/** Columns to sort by, the most significant first; with a dash in reverse. */
	readonly order?: readonly string[] | undefined;
	readonly columns?: ColumnChoice | undefined;
	/** Field that its instances are grouped by; without one they are listed. */
	readonly group?: Grouping | undefined;
	/** The key that shows it on Instances. */
	readonly key?: string | undefined;
};

export type PriceWatch = {
	/** Offers, as words of the query line; `id=7` for one. */
	readonly words: string;
	/** Dollars per hour, all in. */
	readonly below: number;
};

/** Limits after which an instance counts as slow, stuck or idle. */
export type ConditionLimits = {
	readonly nullSlowMinutes: number;
	readonly nullStuckMinutes: number;
	readonly loadingSlowMinutes: number;
	readonly bootMinutes: number;
	readonly noSshMinutes: number;
	readonly idleMinutes: number;
	readonly idleBelowPercent: number;
};

/** Ways to call for attention, beside the title of the terminal. */
export type NotifyChoice = {
	readonly bell: boolean;
	/** Desktop notifications, which some terminals show on OSC 9. */
	readonly osc9: boolean;
};

/** Dollars per hour from which renting needs a stronger confirmation; null for none. */
export type SpendBudget = {
	readonly askOverPerHour: number | null;
	readonly fleetMaxPerHour: number | null;
	/** Reason why the limits cannot be read: then every rental exceeds them. */
	readonly problem?: string;
};

/** The present settings, and a way to change them permanently. */
export type SettingsStore = {
	readonly get: () => Settings;
	readonly subscribe: (listener: () => void) => () => void;
	/** Changes some of them, at once and in the user's file. */
	readonly change: (patch: Partial<Settings>) => void;
};

/** Default settings. Apart from the file's schema, which takes time to load. */
export const defaultSettings: Settings = {
	diskGb: 40,
	hours: 24,
	inGbPerHour: 0,
	outGbPerHour: 0,
	columns: {},
	searches: [],
	watches: [],
	views: [],
	startView: '',
	ssh: 'stepAside',
	limits: {
		nullSlowMinutes: 3,
		nullStuckMinutes: 5,
		loadingSlowMinutes: 5,
		bootMinutes: 10,
		noSshMinutes: 2,
		idleMinutes: 30,
		idleBelowPercent: 3,
	},
	notify: {bell: true, osc9: false},
	spend: {askOverPerHour: 3, fleetMaxPerHour: null},
	fallback: {tries: 3, ceilingPercent: 5},
	templateHash: null,
	templateLeases: {},
	keepInstanceKeys: false,
	lease: '',
	glyphs: 'auto',
	colour: 'auto',
	theme: 'default',
	keys: {},
	runPatterns: [],
	runFolders: [],
	commands: [],
	mouse: 'auto',
};

/** Settings whose names users and screens choose. */
export const freelyNamed = ['columns', 'keys'];
