import type {Destination} from '../services/router.ts';

/** The screens that have a key of their own, in the order of their tabs. */
export const tabs: ReadonlyArray<{
	readonly key: string;
	readonly title: string;
	/** The title where there is little room. */
	readonly short: string;
	readonly destination: Destination;
}> = [
	{key: '1', title: 'Offers', short: 'Off', destination: {name: 'offers'}},
	{key: '2', title: 'Instances', short: 'Inst', destination: {name: 'instances'}},
	{key: '3', title: 'Templates', short: 'Tpl', destination: {name: 'templates'}},
	{key: '4', title: 'Keys', short: 'Keys', destination: {name: 'keys'}},
	{key: '5', title: 'Activity', short: 'Act', destination: {name: 'activity'}},
	{key: '6', title: 'Profiles', short: 'Prof', destination: {name: 'profiles'}},
	{key: '7', title: 'Machines', short: 'Mach', destination: {name: 'machines'}},
];

/** The tabs of whoever has no machines. */
export const renterTabs = tabs.filter(({destination}) => destination.name !== 'machines');

const tabWith = (wanted: string) => tabs.findIndex(({key}) => key === wanted);

/** The tab that a place belongs to, for showing where one is; undefined for places of every tab. */
export const tabOf: Readonly<Record<Destination['name'], number | undefined>> = {
	offers: 0,
	offer: 0,
	compare: 0,
	prices: 0,
	/** It belongs to whichever list it was opened from. */
	rent: undefined,
	instances: 1,
	instance: 1,
	logs: 1,
	command: 1,
	output: 1,
	templates: 2,
	template: 2,
	'template-edit': 2,
	keys: tabWith('4'),
	account: undefined,
	undo: undefined,
	alerts: undefined,
	volumes: undefined,
	rises: undefined,
	activity: tabWith('5'),
	profiles: tabWith('6'),
	'profile-edit': tabWith('6'),
	machines: tabWith('7'),
};
