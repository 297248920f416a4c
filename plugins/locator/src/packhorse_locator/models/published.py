"""The input schemas as the specification publishes them.

Two optional arguments go beyond it in the search by name: the country and the
year of birth, which tell people of one name apart.
"""

from typing import Any

Schema = dict[str, Any]

COUNTRY: Schema = {
    "type": "string",
    "minLength": 2,
    "maxLength": 60,
    "description": "Country of birth, if known: tells people of one name apart, and hides nobody",
    "examples": ["Mexico", "Honduras", "Haiti"],
}
BIRTH_YEAR: Schema = {
    "type": "integer",
    "minimum": 1900,
    "maximum": 2100,
    "description": "Year of birth, if known: tells people of one name apart, and hides nobody",
    "examples": [1988, 1991],
}

SEARCH_BY_NAME: Schema = {
    "type": "object",
    "properties": {
        "first_name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 50,
            "description": "First name of the person to search for, or FNU where there is none",
            "examples": ["Juan", "Maria", "Olena"],
        },
        "last_name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 50,
            "description": "Last name of the person to search for, or LNU where there is none",
            "examples": ["Perez Lopez", "Gonzalez", "Kovalenko"],
        },
        "middle_name": {
            "type": "string",
            "maxLength": 50,
            "description": "Optional middle name or initial",
            "examples": ["Carlos", "E."],
        },
        "fuzzy_match": {
            "type": "boolean",
            "default": True,
            "description": "Enable fuzzy matching for names with variations",
        },
        "confidence_threshold": {
            "type": "number",
            "minimum": 0.0,
            "maximum": 1.0,
            "default": 0.8,
            "description": "Minimum confidence score for fuzzy matches",
            "examples": [0.8, 0.5],
        },
        "phonetic_matching": {
            "type": "boolean",
            "default": True,
            "description": "Enable phonetic matching of names that sound alike",
        },
        "cultural_variants": {
            "type": "boolean",
            "default": True,
            "description": "Include cultural name variations and transliterations",
        },
        "country_of_birth": COUNTRY,
        "birth_year": BIRTH_YEAR,
    },
    "required": ["first_name", "last_name"],
    "additionalProperties": False,
}

SEARCH_BY_ALIEN_NUMBER: Schema = {
    "type": "object",
    "properties": {
        "alien_number": {
            "type": "string",
            "pattern": "^A?[0-9]{8,9}$",
            "description": "Alien Registration Number with or without 'A' prefix",
            "examples": ["A900100028", "900100103"],
        },
        "validate_format": {
            "type": "boolean",
            "default": True,
            "description": "Refuse a number that was never issued before searching for it",
        },
        "include_history": {
            "type": "boolean",
            "default": False,
            "description": "Include historical facility transfers",
        },
    },
    "required": ["alien_number"],
    "additionalProperties": False,
}

SEARCH_BY_FACILITY: Schema = {
    "type": "object",
    "properties": {
        "facility_name": {
            "type": "string",
            "maxLength": 100,
            "description": "Name of the detention facility",
            "examples": ["Stewart Detention Center"],
        },
        "city": {
            "type": "string",
            "maxLength": 50,
            "description": "City where facility is located",
            "examples": ["Lumpkin"],
        },
        "state": {
            "type": "string",
            "pattern": "^[A-Z]{2}$",
            "description": "Two-letter state abbreviation",
            "examples": ["GA"],
        },
        "zip_code": {
            "type": "string",
            "pattern": "^[0-9]{5}(-[0-9]{4})?$",
            "description": "ZIP code of facility",
            "examples": ["31815"],
        },
        "facility_type": {
            "type": "string",
            "enum": ["detention_center", "processing_center", "family_facility", "contract_facility"],
            "description": "Type of facility",
            "examples": ["contract_facility"],
        },
        "include_capacity": {
            "type": "boolean",
            "default": False,
            "description": "Include facility capacity information, each figure with its date",
        },
        "active_only": {
            "type": "boolean",
            "default": True,
            "description": "Only include currently active detainees",
        },
    },
    "anyOf": [
        {"required": ["facility_name"]},
        {"required": ["city", "state"]},
        {"required": ["zip_code"]},
    ],
    "additionalProperties": False,
}

BULK_SEARCH: Schema = {
    "type": "object",
    "properties": {
        "searches": {
            "type": "array",
            "minItems": 1,
            "maxItems": 10,
            "description": "Up to 10 searches; each takes the arguments of the tool of its type",
            "examples": [
                [{"id": "one", "type": "name", "first_name": "Olena", "last_name": "Kovalenko"}],
                [
                    {"type": "alien_number", "alien_number": "A900100028"},
                    {"type": "facility", "city": "Lumpkin", "state": "GA"},
                ],
            ],
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "Optional identifier for this search"},
                    "type": {
                        "type": "string",
                        "enum": ["name", "alien_number", "facility"],
                        "description": "Type of search to perform",
                    },
                },
                "required": ["type"],
                "allOf": [
                    {
                        "if": {"properties": {"type": {"const": "name"}}},
                        "then": {
                            "properties": {
                                "first_name": {"type": "string"},
                                "last_name": {"type": "string"},
                                "middle_name": {"type": "string"},
                                "fuzzy_match": {"type": "boolean"},
                            },
                            "required": ["first_name", "last_name"],
                        },
                    },
                    {
                        "if": {"properties": {"type": {"const": "alien_number"}}},
                        "then": {
                            "properties": {"alien_number": {"type": "string"}},
                            "required": ["alien_number"],
                        },
                    },
                    {
                        "if": {"properties": {"type": {"const": "facility"}}},
                        "then": {
                            "properties": {
                                "facility_name": {"type": "string"},
                                "city": {"type": "string"},
                                "state": {"type": "string"},
                            },
                            "anyOf": [{"required": ["facility_name"]}, {"required": ["city", "state"]}],
                        },
                    },
                ],
            },
        },
        "max_concurrent": {
            "type": "integer",
            "minimum": 1,
            "maximum": 5,
            "default": 3,
            "description": "Maximum number of concurrent searches",
        },
        "include_summary": {
            "type": "boolean",
            "default": True,
            "description": "Include summary statistics in response",
        },
        "stop_on_error": {
            "type": "boolean",
            "default": False,
            "description": "Stop all searches if one fails; a search that finds nobody has not failed",
        },
    },
    "required": ["searches"],
    "additionalProperties": False,
}

GET_FACILITY_INFO: Schema = {
    "type": "object",
    "properties": {
        "facility_name": {
            "type": "string",
            "maxLength": 100,
            "description": "Exact name of the facility",
            "examples": ["Krome North Service Processing Center"],
        },
        "facility_id": {
            "type": "string",
            "pattern": "^[A-Z0-9]{3,10}$",
            "description": "Official facility identifier",
            "examples": ["KRO", "STWRTGA"],
        },
        "include_capacity": {
            "type": "boolean",
            "default": True,
            "description": "Include current capacity and occupancy, each figure with its date",
        },
        "include_contact": {"type": "boolean", "default": True, "description": "Include contact information"},
        "include_services": {
            "type": "boolean",
            "default": False,
            "description": "Include available services and programs, where they are known",
        },
        "include_visitation": {
            "type": "boolean",
            "default": False,
            "description": "Include visitation policies and schedules, where they are known",
        },
    },
    "anyOf": [{"required": ["facility_name"]}, {"required": ["facility_id"]}],
    "additionalProperties": False,
}

PARSE_NATURAL_QUERY: Schema = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 3,
            "maxLength": 500,
            "description": "Natural language search query",
            "examples": ["Find Juan Perez at Krome", "busco a maria gonzalez de Colombia"],
        },
        "auto_execute": {
            "type": "boolean",
            "default": False,
            "description": "Automatically execute the parsed search",
        },
        "confidence_threshold": {
            "type": "number",
            "minimum": 0.0,
            "maximum": 1.0,
            "default": 0.7,
            "description": "Minimum parsing confidence to accept",
            "examples": [0.7, 0.5],
        },
        "language": {
            "type": "string",
            "pattern": "^[a-z]{2}(-[A-Z]{2})?$",
            "default": "en",
            "description": "Language of the input query: en or es",
            "examples": ["en", "es"],
        },
        "include_alternatives": {
            "type": "boolean",
            "default": True,
            "description": "Include alternative interpretations",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
