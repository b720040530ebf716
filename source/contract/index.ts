import * as account from './account.ts';
import * as apiKeys from './api-keys.ts';
import * as offers from './offers.ts';
import * as secrets from './secrets.ts';
import * as sshKeys from './ssh-keys.ts';
import * as templates from './templates.ts';

/** Every endpoint of the service, by noun. The client and the market are typed by this table. */
export const contract = {
	account: {current: account.current},
	apiKeys: {
		list: apiKeys.list,
		create: apiKeys.create,
		show: apiKeys.show,
		delete: apiKeys.delete,
		reset: apiKeys.reset,
	},
	offers: {search: offers.search},
	secrets: {
		list: secrets.list,
		create: secrets.create,
		update: secrets.update,
		delete: secrets.delete,
	},
	sshKeys: {
		list: sshKeys.list,
		create: sshKeys.create,
		update: sshKeys.update,
		delete: sshKeys.delete,
	},
	templates: {
		search: templates.search,
		create: templates.create,
		edit: templates.edit,
		delete: templates.delete,
	},
} as const;

export type Contract = typeof contract;
export type Noun = keyof Contract;
