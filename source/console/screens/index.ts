import type {BindingSet} from '../bindings.ts';
import {
	choiceBindings,
	choosingDialogBindings,
	dialogBindings,
	typedChoosingDialogBindings,
	typedDialogBindings,
} from '../components/dialog-bindings.ts';
import {changedFormBindings, fieldBindings, promptBindings} from '../components/form-bindings.ts';
import {secretBindings, secretFileBindings} from '../components/secret-bindings.ts';
import {wholeTextBindings} from '../components/whole-text-bindings.ts';
import type {Destination} from '../router.ts';
import {filterBindings} from '../list/bindings.ts';
import {activityBindings, happeningBindings} from './activity/bindings.ts';
import {chooserBindings} from '../list/chooser-bindings.ts';
import {instanceBindings, instanceListBindings} from './instances/bindings.ts';
import {findBindings, logBindings} from './instances/logs/log-bindings.ts';
import {zoomedBindings} from './instances/pane-bindings.ts';
import {compareBindings, jobBindings} from './offers/compare-bindings.ts';
import {offerListBindings} from './offers/bindings.ts';
import {offerBindings} from './offers/offer-bindings.ts';
import {entryBindings, savedBindings} from './offers/saved/saved-bindings.ts';
import {querySets} from './offers/query/bindings.ts';
import {accountBindings} from './account/bindings.ts';
import {roomBindings, volumeListBindings} from './volumes/bindings.ts';
import {keyListBindings} from './keys/bindings.ts';
import {formScopeBindings} from './keys/form-scope.ts';
import {profileEditBindings, profileListBindings} from './profiles/bindings.ts';
import {checkResultBindings} from './profiles/check-bindings.ts';
import {
	goneBindings,
	openingBindings as rentOpeningBindings,
	previewBindings,
	readingBindings,
	refusedBindings,
	rentFormBindings,
	sendingBindings,
	unknownBindings,
} from './rent/bindings.ts';
import {
	pickerBindings,
	templateBindings,
	templateEditBindings,
	templateListBindings,
} from './templates/bindings.ts';
import {envBindings, envEntryBindings} from './templates/env-bindings.ts';
import {filterLineBindings, templateTableBindings} from './templates/list-bindings.ts';

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
];

const tabWith = (wanted: string) => tabs.findIndex(({key}) => key === wanted);

/** The tab that a place belongs to, for showing where one is; undefined for places of every tab. */
export const tabOf: Readonly<Record<Destination['name'], number | undefined>> = {
	offers: 0,
	offer: 0,
	compare: 0,
	/** It belongs to whichever list it was opened from. */
	rent: undefined,
	instances: 1,
	instance: 1,
	templates: 2,
	template: 2,
	'template-edit': 2,
	keys: tabWith('4'),
	account: undefined,
	volumes: undefined,
	activity: tabWith('5'),
	profiles: tabWith('6'),
	'profile-edit': tabWith('6'),
};

/** The keys of every screen, for the list of all keys. Targets differ; only titles are read. */
export const screenBindings: ReadonlyArray<BindingSet<never>> = [
	{title: 'Offers', bindings: offerListBindings},
	...querySets,
	{title: 'Text', bindings: wholeTextBindings},
	{title: 'Key shown once', bindings: secretBindings},
	{title: 'File for a key', bindings: secretFileBindings},
	{title: 'Saved', bindings: savedBindings},
	{title: 'Saved: typing', bindings: entryBindings},
	{title: 'Offer', bindings: offerBindings},
	{title: 'Columns', bindings: chooserBindings},
	{title: 'Compare', bindings: compareBindings},
	{title: 'Job', bindings: jobBindings},
	{title: 'Rent', bindings: rentFormBindings},
	{title: 'Rent: nothing to rent', bindings: rentOpeningBindings},
	{title: 'Rent: preview', bindings: previewBindings},
	{title: 'Rent: reading', bindings: readingBindings},
	{title: 'Rent: sending', bindings: sendingBindings},
	{title: 'Rent: the offer is gone', bindings: goneBindings},
	{title: 'Rent: refused', bindings: refusedBindings},
	{title: 'Rent: not known', bindings: unknownBindings},
	{title: 'Instances', bindings: instanceListBindings},
	{title: 'Filter of instances', bindings: filterBindings},
	{title: 'Pane of instances', bindings: zoomedBindings},
	{title: 'Instance', bindings: instanceBindings},
	{title: 'Logs', bindings: logBindings},
	{title: 'Search of logs', bindings: findBindings},
	{title: 'Input', bindings: promptBindings},
	{title: 'Activity', bindings: activityBindings},
	{title: 'Filter of activity', bindings: filterBindings},
	{title: 'Entry of activity', bindings: happeningBindings},
	{title: 'Templates', bindings: templateListBindings},
	{title: 'List of templates', bindings: templateTableBindings},
	{title: 'Filter of templates', bindings: filterLineBindings},
	{title: 'Template', bindings: templateBindings},
	{title: 'Template editor', bindings: templateEditBindings},
	{title: 'Environment', bindings: envBindings},
	{title: 'Entry of an environment', bindings: envEntryBindings},
	{title: 'Keys', bindings: keyListBindings},
	{title: 'New API key', bindings: formScopeBindings},
	{title: 'Account', bindings: accountBindings},
	{title: 'Volumes', bindings: volumeListBindings},
	{title: 'Room for a volume', bindings: roomBindings},
	{title: 'Profiles', bindings: profileListBindings},
	{title: 'Profile editor', bindings: profileEditBindings},
	{title: 'Checked key', bindings: checkResultBindings},
	{title: 'Choice', bindings: choiceBindings},
	{title: 'Pick a template', bindings: pickerBindings},
	{title: 'Form', bindings: changedFormBindings},
	{title: 'Field of a form', bindings: fieldBindings},
	{title: 'Question', bindings: dialogBindings},
	{title: 'Question answered by typing', bindings: typedDialogBindings},
	{title: 'Question of which some can be left out', bindings: choosingDialogBindings},
	{title: 'The same, answered by typing', bindings: typedChoosingDialogBindings},
];
